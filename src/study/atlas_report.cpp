// atlas_report - an atlas as CSV, in numbers and as a map.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <wale/atlas.hpp>

namespace wale {
namespace {

int half_power_of(double work) {
    return static_cast<int>(std::floor(2 * std::log10(std::max(work, 1.0))));
}

}  // namespace

std::string atlas_csv(const atlas_result& r) {
    std::ostringstream out;
    out << "solver,seed,cell,operation,backend,threads,traits,work,variant,ran,seconds,compute_seconds,"
           "verified,"
           "regret\n";
    out.precision(4);
    for (const atlas_cell& c : r.cells)
        for (const atlas_time& t : c.times) {
            const bool automatic = t.variant == "automatic";
            out << r.solver << ',' << r.seed << ',' << c.number << ',' << c.operation << ',' << c.backend
                << ',' << c.threads << ',' << c.traits << ',' << c.work << ',' << t.variant << ','
                << (automatic ? c.chosen : t.variant) << ',' << t.seconds << ',' << t.compute_seconds << ','
                << t.verified << ',';
            if (automatic) out << c.regret;
            out << '\n';
        }
    return out.str();
}

double regret_at(const atlas_result& r, double part) {
    if (r.cells.empty()) return 0;
    std::vector<double> all;
    for (const atlas_cell& c : r.cells) all.push_back(c.regret);
    std::sort(all.begin(), all.end());
    const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(all.size());
    return all[std::min(all.size(), static_cast<std::size_t>(std::max(std::ceil(place), 1.0))) - 1];
}

std::vector<atlas_cell> worst_cells(const atlas_result& r, index_t count) {
    std::vector<atlas_cell> all = r.cells;
    std::stable_sort(all.begin(), all.end(),
                     [](const atlas_cell& a, const atlas_cell& b) { return a.regret > b.regret; });
    if (std::ssize(all) > count) all.resize(static_cast<std::size_t>(std::max<index_t>(count, 0)));
    return all;
}

atlas_map map_of(const atlas_result& r) {
    atlas_map m;
    if (r.cells.empty()) return m;
    std::map<std::string, std::size_t> row_of;
    int least = half_power_of(r.cells.front().work), most = least;
    for (const atlas_cell& c : r.cells) {
        row_of[c.operation + " " + c.backend] = 0;
        least = std::min(least, half_power_of(c.work));
        most = std::max(most, half_power_of(c.work));
    }
    for (auto& [name, row] : row_of) {
        row = m.rows.size();
        m.rows.push_back(name);
    }
    m.first_power = least;
    m.columns = most - least + 1;
    m.regret.assign(m.rows.size() * static_cast<std::size_t>(m.columns),
                    std::numeric_limits<double>::quiet_NaN());
    for (const atlas_cell& c : r.cells) {
        const std::size_t row = row_of[c.operation + " " + c.backend];
        const auto column = static_cast<std::size_t>(half_power_of(c.work) - least);
        double& at = m.regret[row * static_cast<std::size_t>(m.columns) + column];
        at = std::fmax(at, c.regret);  // fmax takes the number where `at` is NaN
    }
    return m;
}

}  // namespace wale
