// json - what the verbs say, as JSON text. Bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <vector>
#include <wale/atlas.hpp>
#include <wale/sequence_file.hpp>
#include <wale/study.hpp>
#include <wale/variants.hpp>

namespace wale::cli {

/// Of the fields of all JSON that the program writes: goes up where a field changes its name or meaning.
inline constexpr int schema_version = 1;
/// The beginning of an object whose first list is written piece by piece: its items, then `],` and the rest
/// follow.
[[nodiscard]] inline std::string json_list(const std::string& name) {
    return "{\"schema_version\": " + std::to_string(schema_version) + ",\n\"" + name + "\": [";
}

struct failure;
struct alignment;
struct align_totals;
struct mapped_read;
struct map_totals;
struct scored_pair;
struct reconstruct_report;
struct lu_report;
struct tree_report;
struct tree_summary;
struct cable_report;
struct mesh_summary;
struct euler_report;
struct warp_summary;

[[nodiscard]] std::string to_json(const failure& f, const std::string& where);
[[nodiscard]] std::string to_json(const std::vector<variant_info>& all);
[[nodiscard]] std::string to_json(const std::vector<config_line>& lines);
[[nodiscard]] std::string to_json(const study_result& r);
[[nodiscard]] std::string to_json(const atlas_result& r);
/// Parts of the object that the verb align writes.
[[nodiscard]] std::string to_json(const alignment& a);
[[nodiscard]] std::string to_json(const align_totals& t);
[[nodiscard]] std::string to_json(const mapped_read& m, const std::vector<sequence_record>& genome);
[[nodiscard]] std::string to_json(const map_totals& t);
[[nodiscard]] std::string to_json(const scored_pair& p);
[[nodiscard]] std::string to_json(const reconstruct_report& r);
[[nodiscard]] std::string to_json(const lu_report& r);
[[nodiscard]] std::string to_json(const tree_report& r);
[[nodiscard]] std::string to_json(const tree_summary& f);
[[nodiscard]] std::string to_json(const cable_report& r);
[[nodiscard]] std::string to_json(const mesh_summary& f);
[[nodiscard]] std::string to_json(const euler_report& r);
[[nodiscard]] std::string to_json(const warp_summary& f);

}  // namespace wale::cli
