// json - what the verbs say, as JSON text. Bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <vector>
#include <wale/study.hpp>
#include <wale/sequence_file.hpp>
#include <wale/variants.hpp>

namespace wale::cli {

struct failure;
struct alignment;
struct align_totals;
struct mapped_read;
struct map_totals;
struct reconstruct_report;
struct lu_report;
struct tree_report;
struct tree_summary;
struct cable_report;
struct mesh_summary;
struct euler_report;

[[nodiscard]] std::string to_json(const failure& f, const std::string& where);
[[nodiscard]] std::string to_json(const std::vector<variant_info>& all);
[[nodiscard]] std::string to_json(const std::vector<config_line>& lines);
[[nodiscard]] std::string to_json(const study_result& r);
[[nodiscard]] std::string to_json(const alignment& a);
[[nodiscard]] std::string to_json(const align_totals& t);
[[nodiscard]] std::string to_json(const mapped_read& m, const std::vector<sequence_record>& genome);
[[nodiscard]] std::string to_json(const map_totals& t);
[[nodiscard]] std::string to_json(const reconstruct_report& r);
[[nodiscard]] std::string to_json(const lu_report& r);
[[nodiscard]] std::string to_json(const tree_report& r);
[[nodiscard]] std::string to_json(const tree_summary& f);
[[nodiscard]] std::string to_json(const cable_report& r);
[[nodiscard]] std::string to_json(const mesh_summary& f);
[[nodiscard]] std::string to_json(const euler_report& r);

}  // namespace wale::cli
