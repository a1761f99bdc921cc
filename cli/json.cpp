// json - the one place that knows nlohmann-json. Structures are written from the lists of their fields.
#include "json.hpp"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <wale/result_fields.hpp>

#include "engine.hpp"
#include "euler.hpp"
#include "failure.hpp"
#include "lu.hpp"
#include "map.hpp"
#include "mesh.hpp"
#include "reconstruct.hpp"
#include "tree.hpp"
#include "warp.hpp"

namespace wale {

// The fields of what the verbs found out; empty texts and numbers below 0 become null where they may be
// absent.

template <>
struct fields<cli::align_totals> {
    static constexpr auto all =
        std::tuple{field{"pairs", &cli::align_totals::pairs}, field{"verified", &cli::align_totals::verified},
                   field{"run", &cli::align_totals::run}};
};

template <>
struct fields<cli::map_totals> {
    static constexpr auto all =
        std::tuple{field{"reads", &cli::map_totals::reads}, field{"mapped", &cli::map_totals::mapped},
                   field{"repeated", &cli::map_totals::repeated},
                   field{"verified", &cli::map_totals::verified}, field{"run", &cli::map_totals::run}};
};

template <>
struct fields<cli::answer_summary> {
    static constexpr auto all = std::tuple{field{"pixels", &cli::answer_summary::pixels},
                                           field{"changed", &cli::answer_summary::changed},
                                           field{"difference", &cli::answer_summary::difference}};
};

template <>
struct fields<cli::reconstruct_report> {
    using type = cli::reconstruct_report;
    static constexpr auto all = std::tuple{field{"operation", &type::operation},
                                           field{"inputs", &type::files},
                                           field{"output", &type::output},
                                           field{"compare", &type::compare, "", true},
                                           field{"bits", &type::bits},
                                           field{"verified", &type::verified},
                                           field{"read_seconds", &type::read_seconds},
                                           field{"to_device_seconds", &type::to_device_seconds},
                                           field{"from_device_seconds", &type::from_device_seconds}};
};

template <>
struct fields<cli::lu_report> {
    using type = cli::lu_report;
    static constexpr auto all = std::tuple{field{"operation", &type::operation},
                                           field{"input", &type::input},
                                           field{"output", &type::output, "", true},
                                           field{"residual_ratio", &type::residual_ratio, "", true},
                                           field{"inverse_ratio", &type::inverse_ratio, "", true},
                                           field{"hpl_ratio", &type::hpl_ratio, "", true},
                                           field{"read_seconds", &type::read_seconds},
                                           field{"to_device_seconds", &type::to_device_seconds},
                                           field{"from_device_seconds", &type::from_device_seconds}};
};

template <>
struct fields<cli::tree_report> {
    using type = cli::tree_report;
    static constexpr auto all = std::tuple{field{"kind", &type::kind},
                                           field{"input", &type::input},
                                           field{"output", &type::output, "", true},
                                           field{"backward_error", &type::backward_error, "", true},
                                           field{"finite", &type::finite},
                                           field{"first_bad_system", &type::first_bad_system, "", true},
                                           field{"first_bad_row", &type::first_bad_row, "", true},
                                           field{"read_seconds", &type::read_seconds},
                                           field{"to_device_seconds", &type::to_device_seconds},
                                           field{"from_device_seconds", &type::from_device_seconds},
                                           field{"run", &type::run}};
};

template <>
struct fields<cli::cable_report> {
    using type = cli::cable_report;
    static constexpr auto all =
        std::tuple{field{"input", &type::input}, field{"output", &type::output, "", true},
                   field{"points", &type::points}, field{"thickened_points", &type::thickened},
                   field{"read_seconds", &type::read_seconds}};
};

template <>
struct fields<cli::mesh_summary> {
    using type = cli::mesh_summary;
    static constexpr auto all = std::tuple{
        field{"operation", &type::operation},        field{"input", &type::input, "", true},
        field{"output", &type::output, "", true},    field{"points", &type::points},
        field{"normal_scale", &type::normal_scale},  field{"mesh", &type::report},
        field{"read_seconds", &type::read_seconds},  field{"compute_seconds", &type::compute_seconds},
        field{"write_seconds", &type::write_seconds}};
};

template <>
struct fields<cli::euler_report> {
    using type = cli::euler_report;
    static constexpr auto all = std::tuple{field{"cells", &type::cells},
                                           field{"rows", &type::rows},
                                           field{"iteration", &type::iteration},
                                           field{"time", &type::time},
                                           field{"forces", &type::forces},
                                           field{"warnings", &type::warnings},
                                           field{"mesh_seconds", &type::mesh_seconds},
                                           field{"run_seconds", &type::run_seconds}};
};

}  // namespace wale

namespace wale::cli {
namespace {

using value = nlohmann::ordered_json;

/// A part of an object, as text.
std::string part_text(const value& v, int indent = -1) {
    return v.dump(indent, ' ', false, value::error_handler_t::replace);
}

/// A whole object as text, first of all the version of its fields.
std::string text(const value& v, int indent = 2) {
    value out{{"schema_version", schema_version}};
    out.update(v);
    return part_text(out, indent);
}

template <class T>
void add(value& out, const T& from);

template <class T>
value json_of(const T& from) {
    if constexpr (has_fields<T>) {
        value out = value::object();
        add(out, from);
        return out;
    } else if constexpr (std::is_enum_v<T>) {
        return name_of(from);
    } else {
        return from;
    }
}

template <class T>
    requires has_fields<T> value json_of(const std::vector<T>& all) {
        value out = value::array();
        for (const T& one : all) out.push_back(json_of(one));
        return out;
    }

/// null where there is none.
template <class T>
value measured(const T& v) {
    if constexpr (std::is_arithmetic_v<T>)
        return v < 0 ? value(nullptr) : value(v);
    else
        return v.empty() ? value(nullptr) : value(v);
}

/// The fields of a structure beside those of `out`; the fields of a report are not nested.
template <class T>
void add(value& out, const T& from) {
    for_each_field<T>([&]<class M>(const field<T, M>& f) {
        if constexpr (std::is_same_v<M, report>)
            add(out, from.*f.member);
        else if constexpr (std::is_same_v<M, bool>)
            out[f.name] = from.*f.member;
        else if constexpr (std::is_arithmetic_v<M> || std::is_same_v<M, std::string>)
            out[f.name] = f.may_be_absent ? measured(from.*f.member) : value(from.*f.member);
        else
            out[f.name] = json_of(from.*f.member);
    });
}

}  // namespace

std::string to_json(const failure& f, const std::string& where) {
    return text({{"code", f.code}, {"where", where}, {"what", f.what}, {"hint", f.hint}}, -1);
}

std::string to_json(const std::vector<variant_info>& all) {
    value rows = json_of(all);
    for (std::size_t k = 0; k < all.size(); ++k) rows[k]["available"] = is_available(all[k].where);
    return text({{"variants", rows}});
}

std::string to_json(const std::vector<config_line>& lines) {
    value out = value::object();
    for (const config_line& l : lines) out[l.name] = l.value;
    return text(out);
}

std::string to_json(const study_result& r) {
    return text(json_of(r));
}

std::string to_json(const atlas_result& r) {
    return text(json_of(r));
}

std::string to_json(const alignment& a) {
    value out{{"query", a.query},
              {"target", a.target},
              {"length_query", a.query_length},
              {"length_target", a.target_length}};
    if (a.both_strands) out["strand"] = a.reverse ? "-" : "+";
    out[a.edit ? "distance" : "lcs"] = a.within_bound ? value(a.value) : value(nullptr);
    out["similarity"] = a.within_bound ? value(a.similarity()) : value(nullptr);
    if (a.edit) out["within_bound"] = a.within_bound;
    if (a.has_string) {
        out["string"] = a.string;
        out["in_query"] = a.in_query;
        out["in_target"] = a.in_target;
    }
    return part_text(out);
}

std::string to_json(const scored_pair& p) {
    value out = json_of(p.result);
    const auto length = static_cast<index_t>(p.query_symbols.size());
    if (p.reverse) {  // positions of the query as it was read
        out["query_begin"] = length - p.result.query_end;
        out["query_end"] = length - p.result.query_begin;
    }
    out["query"] = p.query;
    out["target"] = p.target;
    out["length_query"] = length;
    out["length_target"] = p.target_symbols.size();
    out["strand"] = p.reverse ? "-" : "+";
    out["identity"] = p.result.identity();
    out["cigar"] = p.result.cigar();
    if (p.searched) out["bits"] = p.bits;  // NaN is written as null
    if (p.searched) out["evalue"] = p.evalue;
    return part_text(out);
}

std::string to_json(const align_totals& t) {
    value out = json_of(t);
    out["cells"] = t.run.work;
    return part_text(out);
}

std::string to_json(const mapped_read& m, const std::vector<sequence_record>& genome) {
    value out{{"read", m.read->name}, {"length", m.read->symbols.size()}};
    out["distance"] = m.places.empty() ? value(nullptr) : value(m.distance);
    out["places"] = value::array();
    for (const read_place& p : m.places) {
        value place{{"target", genome[p.target].name},
                    {"begin", p.at.begin},
                    {"end", p.at.end},
                    {"strand", p.at.reverse ? "-" : "+"}};
        if (!p.cigar.empty()) place["cigar"] = p.cigar;
        out["places"].push_back(std::move(place));
    }
    return part_text(out);
}

std::string to_json(const map_totals& t) {
    return part_text(json_of(t));
}

std::string to_json(const reconstruct_report& r) {
    value out = json_of(r);
    out["shape"] = {r.shape.images, r.shape.planes, r.shape.rows, r.shape.columns};
    out["rank"] = r.shape.rank;
    out["type"] = name_of(r.shape.type);
    add(out, r.summary);
    add(out, static_cast<const reconstruction_result&>(r.outcome));
    return text(out);
}

std::string to_json(const lu_report& r) {
    const std::string verdict = verdict_of(r);
    value out = json_of(r);
    out["shape"] = {r.shape.rows, r.shape.columns};
    out["type"] = name_of(r.shape.type);
    out["verdict"] = verdict.empty() ? "good" : verdict;
    out["verified"] = r.verified;
    if (r.operation == "det") {
        out["sign"] = r.determinant.sign;
        if (is_complex(r.shape.type)) out["sign_imaginary"] = r.determinant.sign_imaginary;
        out["log_magnitude"] = r.determinant.log_magnitude;  // null: singular, minus infinity
    }
    if (r.operation == "solve") {
        out["right_sides"] = r.right_sides;
        out["backward_ratio"] = measured(r.backward_ratio);
        out["largest_error"] = measured(r.largest_error);
        out["solve_seconds"] = r.solve.compute_seconds;
    }
    if (r.is_refined) {
        add(out, r.refined);
        out["factored_in"] = name_of(r.refined.factored);
    } else {
        out["pivoting"] = r.pivoting;
        add(out, r.factor);
    }
    if (!r.solve.variant.empty()) out["second_variant"] = r.solve.variant;
    return text(out);
}

std::string to_json(const tree_report& r) {
    value out{{"operation", "solve"},
              {"type", name_of(r.shape.type)},
              {"systems", r.shape.count},
              {"size", r.shape.size},
              {"verdict", r.verdict.empty() ? "good" : r.verdict},
              {"verified", r.verified}};
    add(out, r);
    if (std::string(r.kind) == "trees") out.update({{"branches", r.branches}, {"depth", r.depth}});
    return text(out);
}

std::string to_json(const tree_summary& s) {
    value out{{"operation", "info"}};
    add(out, s);
    return text(out);
}

std::string to_json(const cable_report& r) {
    value probes = value::array();
    const std::size_t places = r.probe_names.size();
    for (std::size_t p = 0; p < r.result.spikes.size(); ++p)
        probes.push_back(
            {{"cell", p / places}, {"place", r.probe_names[p % places]}, {"spikes_ms", r.result.spikes[p]}});
    value out{{"operation", "cable"},
              {"compartments", r.model->size()},
              {"cells", r.command->options.cells},
              {"dt_ms", r.command->options.dt},
              {"method", r.command->method}};
    add(out, r);
    add(out, r.result);
    out["probes"] = probes;
    if (r.command->sections) {
        out["sections"] = json_of(r.model->sections);
        out["compartment_list"] = json_of(r.model->compartments);
    }
    return text(out);
}

std::string to_json(const mesh_summary& s) {
    value out = json_of(s), patches = value::array();
    for (std::size_t p = 0; p < s.patches.size(); ++p)
        patches.push_back(
            {{"name", s.patches[p]}, {"faces", s.report.patch_faces[p]}, {"area", s.report.patch_area[p]}});
    out["mesh"]["patches"] = patches;
    if (s.recovered) out["recovered"] = json_of(*s.recovered);
    if (s.renumbered)
        out["renumbered"] = {{"bandwidth", s.renumbered->bandwidth},
                             {"mean_distance", s.renumbered->mean_distance}};
    if (!s.part_sizes.empty()) out.update({{"part_sizes", s.part_sizes}, {"faces_cut", s.faces_cut}});
    return text(out);
}

std::string to_json(const euler_report& r) {
    const bool stalled = r.result.end == euler_end::not_converged;
    value out{{"operation", "euler"},
              {"input", r.command->file},
              {"flux", name_of(r.setup->options.scheme.flux)},
              {"order", r.setup->options.scheme.order},
              {"precision", name_of(r.setup->options.precision)}};
    add(out, r);
    add(out, r.result);
    out["last"] = r.history.empty() ? value(nullptr) : json_of(r.history.back());
    out["worst_cell"] = stalled ? value(r.worst.cell) : value(nullptr);
    out["worst_place"] = stalled ? value(r.worst.at) : value(nullptr);
    out["bad_place"] = r.result.bad_cell >= 0 ? value(r.result.bad_place) : value(nullptr);
    out["verified"] = r.verified;
    if (r.verified)
        out["verdict"] = {{"flaw", r.verdict.flaw},
                          {"mass_in", r.verdict.mass_in},
                          {"mass_out", r.verdict.mass_out},
                          {"mass_change", r.verdict.mass_change}};
    if (!r.polar.empty()) {
        out["swept"] = name_of(r.setup->swept);
        out["polar"] = json_of(r.polar);
    }
    if (r.command->samples) out["samples"] = json_of(r.history);
    return text(out);
}

std::string to_json(const warp_summary& f) {
    value out{{"inputs", f.files}, {"series", f.series}, {"dimensions", f.dimensions}, {"costs", f.costs}};
    if (!f.path.empty()) out["path"] = f.path;
    out["run"] = json_of(f.run);
    return text(out);
}

}  // namespace wale::cli
