// mesh_summary - what was found out about a mesh, as people read it.
#include <algorithm>
#include <cmath>

#include "mesh.hpp"
#include "text.hpp"

namespace wale::cli {

std::string line_of(const mesh_summary& f) {
    const mesh_report& r = f.report;
    std::string text = "wale: mesh " + f.operation + ", " + std::to_string(r.cells) + " cells";
    if (f.recovered)
        text += "; " + std::to_string(f.points) + " corners recovered to " +
                short_text(f.recovered->mismatch) + " of an edge" +
                (f.recovered->pieces > 1 ? " in " + std::to_string(f.recovered->pieces) + " pieces" : "");
    if (f.renumbered)
        text += "; neighbours " + number_text(std::round(r.mean_distance)) + " apart before, " +
                number_text(std::round(f.renumbered->mean_distance)) + " now";
    if (!f.part_sizes.empty()) {
        const auto [least, most] = std::minmax_element(f.part_sizes.begin(), f.part_sizes.end());
        text += "; " + std::to_string(*least) + " to " + std::to_string(*most) + " in a part, " +
                std::to_string(f.faces_cut) + " faces cut";
    }
    if (f.operation == "generate")
        text += "; normals up to " + short_text(r.largest_angle) +
                " degrees off, neighbours' volumes up to " + short_text(r.volume_ratio) + " apart";
    text += f.operation == "generate" ? "; made in " : "; read in ";
    return text + time_text(f.read_seconds) + ", written in " + time_text(f.write_seconds) + "\n";
}

std::string report_of(const mesh_summary& f) {
    const mesh_report& r = f.report;
    std::vector<std::pair<std::string, std::string>> lines{
        {"cells", std::to_string(r.cells)},
        {"faces between cells", std::to_string(r.inner_faces)},
        {"connected parts", std::to_string(r.parts)},
        {"points", f.points == 0 ? "none" : std::to_string(f.points)}};
    for (std::size_t p = 0; p < f.patches.size(); ++p)
        lines.emplace_back("patch " + printable(f.patches[p]),
                           std::to_string(r.patch_faces[p]) + " faces, area " + short_text(r.patch_area[p]));
    for (const auto& [name, value] :
         {std::pair<const char*, std::string>{"volume", short_text(r.volume)},
          {"volumes of cells", short_text(r.least_volume) + " to " + short_text(r.greatest_volume)},
          {"closure", short_text(r.closure)},
          {"reciprocity", short_text(r.reciprocity)},
          {"Gauss", r.gauss < 0 ? "not known without coordinates" : short_text(r.gauss)},
          {"angles of normals and centres", r.largest_angle < 0
                                                ? "not known without coordinates"
                                                : "mean " + short_text(r.mean_angle) + ", largest " +
                                                      short_text(r.largest_angle) + " degrees, at cell " +
                                                      std::to_string(r.worst_angle)},
          {"largest ratio of neighbours' volumes", short_text(r.volume_ratio)},
          {"areas over true ones", short_text(r.area_factor)},
          {"normals of the file over areas", short_text(f.normal_scale)},
          {"distance of neighbours",
           "mean " + number_text(std::round(r.mean_distance)) + ", largest " + std::to_string(r.bandwidth)},
          {"verdict", r.verdict.empty() ? "good" : r.verdict}})
        lines.emplace_back(name, value);
    std::string text;
    for (const auto& [name, value] : lines) text += name + ": " + value + "\n";
    return text;
}

}  // namespace wale::cli
