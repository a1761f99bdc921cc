// json - the one place that knows nlohmann-json.
#include "json.hpp"

#include <nlohmann/json.hpp>

#include "align.hpp"
#include "cable.hpp"
#include "euler.hpp"
#include "failure.hpp"
#include "lu.hpp"
#include "mesh.hpp"
#include "reconstruct.hpp"
#include "tree.hpp"

namespace wale::cli {
namespace {

using value = nlohmann::ordered_json;

std::string text(const value& v, int indent = 2) {
    return v.dump(indent, ' ', false, value::error_handler_t::replace);
}

}  // namespace

std::string to_json(const failure& f, const std::string& where) {
    return text({{"code", f.code}, {"where", where}, {"what", f.what}, {"hint", f.hint}}, -1);
}

std::string to_json(const std::vector<variant_info>& all) {
    value out = value::array();
    for (const variant_info& v : all)
        out.push_back({{"solver", v.solver},
                       {"operation", v.operation},
                       {"name", v.name},
                       {"backend", name_of(v.where)},
                       {"available", is_available(v.where)},
                       {"summary", v.summary}});
    return text(out);
}

std::string to_json(const std::vector<config_line>& lines) {
    value out = value::object();
    for (const config_line& l : lines) out[l.name] = l.value;
    return text(out);
}

std::string to_json(const study_result& r) {
    value rows = value::array();
    for (const study_row& row : r.rows)
        rows.push_back({{"variant", row.variant},
                        {"size", row.size},
                        {"seconds", row.seconds},
                        {"rate", row.rate},
                        {"ceiling", row.ceiling},
                        {"binds", row.binds},
                        {"of_ceiling", row.of_ceiling},
                        {"over_slowest", row.over_slowest},
                        {"of_fastest", row.of_fastest},
                        {"iterations", row.iterations},
                        {"verified", row.verified},
                        {"policy", row.policy},
                        {"device", row.device}});
    value claims = value::array();
    for (const study_claim& c : r.claims) claims.push_back({{"claim", c.claim}, {"measured", c.measured}});
    return text(
        {{"unit", r.unit}, {"rows", rows}, {"skipped", r.skipped}, {"failed", r.failed}, {"claims", claims}});
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
    return text(out, -1);
}

std::string to_json(const align_totals& t) {
    return text({{"pairs", t.pairs},
                 {"cells", t.cells},
                 {"compute_seconds", t.compute_seconds},
                 {"transfer_seconds", t.transfer_seconds},
                 {"variant", t.variants},
                 {"device", t.device},
                 {"threads", t.threads},
                 {"policy", t.policy}},
                -1);
}

std::string to_json(const reconstruct_report& r) {
    const report& run = r.outcome.run;
    return text({{"operation", r.operation},
                 {"inputs", r.files},
                 {"output", r.output},
                 {"compare", r.compare.empty() ? value(nullptr) : value(r.compare)},
                 {"shape", {r.shape.images, r.shape.planes, r.shape.rows, r.shape.columns}},
                 {"rank", r.shape.rank},
                 {"type", name_of(r.shape.type)},
                 {"bits", r.bits},
                 {"pixels", r.facts.pixels},
                 {"changed", r.facts.changed},
                 {"difference", r.facts.difference},
                 {"verified", r.verified},
                 {"read_seconds", r.read_seconds},
                 {"compute_seconds", run.compute_seconds},
                 {"to_device_seconds", r.to_device_seconds},
                 {"from_device_seconds", r.from_device_seconds},
                 {"variant", run.variant},
                 {"device", run.device},
                 {"threads", run.threads},
                 {"policy", run.policy},
                 {"iterations", run.iterations},
                 {"tile_visits", r.outcome.tile_visits},
                 {"guarded", r.outcome.guarded}});
}

/// null where nothing was measured.
value measured(double v) {
    return v < 0 ? value(nullptr) : value(v);
}

std::string to_json(const lu_report& r) {
    const report& run = r.is_refined ? r.refined.run : r.factor.run;
    value out{{"operation", r.operation},
              {"input", r.input},
              {"output", r.output.empty() ? value(nullptr) : value(r.output)},
              {"shape", {r.shape.rows, r.shape.columns}},
              {"type", name_of(r.shape.type)},
              {"verdict", verdict_of(r).empty() ? "good" : verdict_of(r)}};
    if (r.operation == "det") {
        out["sign"] = r.determinant.sign;
        out["log_magnitude"] = r.determinant.log_magnitude;  // null: singular, minus infinity
    }
    if (r.operation == "solve") {
        out["right_sides"] = r.right_sides;
        out["backward_ratio"] = measured(r.backward_ratio);
        out["largest_error"] = measured(r.largest_error);
        out["solve_seconds"] = r.solve.compute_seconds;
    }
    if (r.is_refined) {
        out["factored_in"] = name_of(r.refined.factored);
        out["fell_back"] = r.refined.fell_back;
        out["iterations"] = r.refined.iterations;
        out["backward_error"] = r.refined.backward_error;
        out["outcome"] = r.refined.outcome;
        out["first_zero"] = r.refined.first_zero < 0 ? value(nullptr) : value(r.refined.first_zero);
    } else {
        out["pivoting"] = r.pivoting;
        out["residual_ratio"] = measured(r.residual_ratio);
        out["growth"] = measured(r.factor.growth);
        out["reciprocal_condition"] = measured(r.factor.reciprocal_condition);
        out["first_zero"] = r.factor.first_zero < 0 ? value(nullptr) : value(r.factor.first_zero);
        out["perturbed"] = r.factor.perturbed;
        out["diverged"] = r.factor.diverged;
    }
    out.update({{"read_seconds", r.read_seconds},
                {"compute_seconds", run.compute_seconds},
                {"to_device_seconds", r.to_device_seconds},
                {"from_device_seconds", r.from_device_seconds},
                {"variant", run.variant},
                {"device", run.device},
                {"threads", run.threads},
                {"policy", run.policy}});
    if (!r.solve.variant.empty()) out["second_variant"] = r.solve.variant;
    return text(out);
}

std::string to_json(const tree_report& r) {
    value out{{"operation", "solve"},
              {"kind", r.kind},
              {"input", r.input},
              {"output", r.output.empty() ? value(nullptr) : value(r.output)},
              {"type", wale::name_of(r.shape.type)},
              {"systems", r.shape.count},
              {"size", r.shape.size},
              {"backward_error", measured(r.backward_error)},
              {"finite", r.finite},
              {"first_bad_system", r.first_bad_system < 0 ? value(nullptr) : value(r.first_bad_system)},
              {"first_bad_row", r.first_bad_row < 0 ? value(nullptr) : value(r.first_bad_row)},
              {"read_seconds", r.read_seconds},
              {"compute_seconds", r.run.compute_seconds},
              {"to_device_seconds", r.to_device_seconds},
              {"from_device_seconds", r.from_device_seconds},
              {"variant", r.run.variant},
              {"device", r.run.device},
              {"threads", r.run.threads},
              {"policy", r.run.policy}};
    if (std::string(r.kind) == "trees") out.update({{"branches", r.branches}, {"depth", r.depth}});
    return text(out);
}

std::string to_json(const tree_facts& f) {
    return text({{"operation", "info"},
                 {"input", f.input},
                 {"nodes", f.nodes},
                 {"trees", f.trees},
                 {"branches", f.branches},
                 {"tips", f.tips},
                 {"depth", f.depth},
                 {"longest_run", f.longest_run},
                 {"most_children", f.most_children},
                 {"depth_first", f.depth_first}});
}

/// Sections and compartments; places of compartments by number.
void add_form(value& out, const cable_model& m) {
    value sections = value::array(), compartments = value::array();
    for (const cable_section& s : m.sections)
        sections.push_back({{"parent", s.parent},
                            {"region", name_of(s.region)},
                            {"length_um", s.length},
                            {"first", s.first},
                            {"count", s.count},
                            {"points", s.points}});
    for (const cable_compartment& c : m.compartments)
        compartments.push_back({{"parent", c.parent},
                                {"section", c.section},
                                {"at", c.at},
                                {"area_um2", c.area},
                                {"axial_uS", c.axial}});
    out["sections"] = sections;
    out["compartment_list"] = compartments;
}

std::string to_json(const cable_report& r) {
    const report& run = r.result.run;
    value probes = value::array();
    const std::size_t places = r.probe_names.size();
    for (std::size_t p = 0; p < r.result.spikes.size(); ++p)
        probes.push_back(
            {{"cell", p / places}, {"place", r.probe_names[p % places]}, {"spikes_ms", r.result.spikes[p]}});
    value out{{"operation", "cable"},
              {"input", r.input},
              {"output", r.output.empty() ? value(nullptr) : value(r.output)},
              {"points", r.points},
              {"thickened_points", r.thickened},
              {"compartments", r.model->size()},
              {"cells", r.said->options.cells},
              {"dt_ms", r.said->options.dt},
              {"method", r.said->method},
              {"steps", r.result.steps},
              {"samples", r.result.samples},
              {"probes", probes},
              {"diverged", r.result.diverged < 0 ? value(nullptr) : value(r.result.diverged)},
              {"read_seconds", r.read_seconds},
              {"compute_seconds", run.compute_seconds},
              {"work", run.work},
              {"variant", run.variant},
              {"device", run.device},
              {"threads", run.threads},
              {"policy", run.policy}};
    if (r.said->sections) add_form(out, *r.model);
    return text(out);
}

namespace {

value json_of(const mesh_report& r, const std::vector<std::string>& patches) {
    value faces = value::array();
    for (std::size_t p = 0; p < patches.size(); ++p)
        faces.push_back({{"name", patches[p]}, {"faces", r.patch_faces[p]}, {"area", r.patch_area[p]}});
    const auto cell = [](index_t c) { return c < 0 ? value(nullptr) : value(c); };
    return {{"cells", r.cells},
            {"rows", r.rows},
            {"inner_faces", r.inner_faces},
            {"parts", r.parts},
            {"patches", faces},
            {"volume", r.volume},
            {"least_volume", r.least_volume},
            {"greatest_volume", r.greatest_volume},
            {"not_positive", r.not_positive},
            {"first_not_positive", cell(r.first_not_positive)},
            {"open_cells", r.open_cells},
            {"worst_open", cell(r.worst_open)},
            {"closure", r.closure},
            {"not_mutual", r.not_mutual},
            {"first_not_mutual", cell(r.first_not_mutual)},
            {"reciprocity", r.reciprocity},
            {"self_neighbours", r.self_neighbours},
            {"area_factor", r.area_factor},
            {"gauss", measured(r.gauss)},
            {"bandwidth", r.bandwidth},
            {"mean_distance", r.mean_distance},
            {"verdict", r.verdict}};
}

}  // namespace

std::string to_json(const mesh_facts& f) {
    value out{{"operation", f.operation},
              {"input", f.input.empty() ? value(nullptr) : value(f.input)},
              {"output", f.output.empty() ? value(nullptr) : value(f.output)},
              {"points", f.points},
              {"normal_scale", f.normal_scale},
              {"mesh", json_of(f.report, f.patches)}};
    if (f.recovered)
        out["recovered"] = {{"mismatch", f.recovered->mismatch}, {"pieces", f.recovered->pieces}};
    if (f.renumbered)
        out["renumbered"] = {{"bandwidth", f.renumbered->bandwidth},
                             {"mean_distance", f.renumbered->mean_distance}};
    if (!f.part_sizes.empty()) out.update({{"part_sizes", f.part_sizes}, {"faces_cut", f.faces_cut}});
    out.update({{"read_seconds", f.read_seconds},
                {"compute_seconds", f.compute_seconds},
                {"write_seconds", f.write_seconds}});
    return text(out);
}

namespace {

value sample_json(const euler_sample& s) {
    return {
        {"iteration", s.iteration}, {"time", s.time},
        {"residual", s.residual},   {"drag", s.drag},
        {"lift", s.lift},           {"side", s.side},
        {"moment", s.moment},       {"total", std::vector<double>(std::begin(s.total), std::end(s.total))}};
}

}  // namespace

std::string to_json(const euler_report& r) {
    const report& run = r.result.run;
    const bool bad = r.result.bad_cell >= 0, stalled = r.result.end == euler_end::not_converged;
    value out{{"operation", "euler"},
              {"input", r.said->file},
              {"cells", r.cells},
              {"rows", r.rows},
              {"flux", name_of(r.setup->options.scheme.flux)},
              {"order", r.setup->options.scheme.order},
              {"precision", name_of(r.setup->options.precision)},
              {"iterations", r.result.iterations},
              {"iteration", r.iteration},
              {"time", r.time},
              {"end", name_of(r.result.end)},
              {"last", r.history.empty() ? value(nullptr) : sample_json(r.history.back())},
              {"decades", r.result.decades},
              {"worst_cell", stalled ? value(r.worst.cell) : value(nullptr)},
              {"worst_place", stalled ? value(r.worst.at) : value(nullptr)},
              {"warnings", r.warnings},
              {"bad_cell", bad ? value(r.result.bad_cell) : value(nullptr)},
              {"bad_iteration", bad ? value(r.result.bad_iteration) : value(nullptr)},
              {"bad_place", bad ? value(r.result.bad_place) : value(nullptr)},
              {"mesh_seconds", r.mesh_seconds},
              {"run_seconds", r.run_seconds},
              {"compute_seconds", run.compute_seconds},
              {"work", run.work},
              {"variant", run.variant},
              {"device", run.device},
              {"threads", run.threads},
              {"policy", run.policy}};
    if (r.said->samples) {
        out["samples"] = value::array();
        for (const euler_sample& s : r.history) out["samples"].push_back(sample_json(s));
    }
    return text(out);
}

}  // namespace wale::cli
