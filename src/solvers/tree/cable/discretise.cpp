// discretise - from points to compartments: unbranched sections of one region, each cut into an odd number of
// equal lengths; areas and axial resistances are those of the truncated cones between the points. Where
// sections meet stands a compartment without membrane. (The method of Hines and Carnevale 1997, written
// anew.)
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <wale/error.hpp>

#include "base/argument.hpp"
#include "base/decimal_text.hpp"
#include "solvers/tree/cable/form.hpp"

namespace wale::tree {
namespace {

constexpr double most_compartments = 1 << 28;

using spot = std::array<double, 4>;  // x, y, z, radius

double distance(const spot& a, const spot& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// What half a compartment is: from a border to the middle or from there to the other border.
struct half {
    double area = 0;        // [um2]
    double resistance = 0;  // [MOhm]
};

/// The part of a truncated cone of length `whole` and radii a, b that lies between two places along it.
half cone_part(double whole, double a, double b, std::array<double, 2> between, double resistivity) {
    const double length = between[1] - between[0];
    const double r0 = a + (b - a) * between[0] / whole, r1 = a + (b - a) * between[1] / whole;
    return {std::numbers::pi * (r0 + r1) * std::hypot(length, r1 - r0),
            1e-2 * resistivity * length / (std::numbers::pi * r0 * r1)};
}

class discretisation {
public:
    discretisation(cable_model& model, const swc_tree& form, const cable_geometry& geometry)
        : model_(model), form_(form), points_(form.points), g_(geometry), soma_(find_soma(form)) {}

    void run() {
        check();
        find_children();
        model_.compartment_of_point.assign(points_.size(), 0);
        soma_.sphere ? add_sphere() : add_root();
        while (!waiting_.empty()) {
            const start s = waiting_.back();
            waiting_.pop_back();
            add_section(s);
        }
    }

private:
    /// A section that is to be made: its first own point, and its parent.
    struct start {
        std::int32_t point, section, compartment;
    };

    [[nodiscard]] const swc_point& point(std::int32_t i) const {
        return points_[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] bool merged(std::int32_t i) const { return soma_.merged[static_cast<std::size_t>(i)] != 0; }
    [[nodiscard]] spot spot_of(std::int32_t i) const {
        const swc_point& p = point(i);
        return {p.x, p.y, p.z, p.radius};
    }
    [[nodiscard]] cable_region region(std::int32_t i) const { return region_of(point(i).type); }

    void check() const {
        const auto demand = [](bool holds, const char* name, double value) {
            if (!holds)
                base::refuse(std::string("geometry.") + name, "is " + base::decimal_text(value),
                             "more than 0");
        };
        demand(g_.axial_resistivity > 0 && std::isfinite(g_.axial_resistivity), "axial_resistivity",
               g_.axial_resistivity);
        demand(g_.capacitance > 0 && std::isfinite(g_.capacitance), "capacitance", g_.capacitance);
        if (g_.max_length != 0) demand(g_.max_length > 0, "max_length", g_.max_length);
        if (g_.max_length != 0) return;
        demand(g_.d_lambda > 0 && std::isfinite(g_.d_lambda), "d_lambda", g_.d_lambda);
        demand(g_.frequency > 0 && std::isfinite(g_.frequency), "frequency", g_.frequency);
    }

    void find_children() {
        if (points_.empty()) throw bad_argument("form: has no points");
        children_.resize(points_.size());
        for (std::size_t i = 1; i < points_.size(); ++i) {
            const std::int32_t p = points_[i].parent;
            if (p < 0 || static_cast<std::size_t>(p) >= i)
                throw bad_argument("form: " + form_.place_of(static_cast<index_t>(i)) +
                                   " does not stand after its parent");
            if (!(points_[i].radius > 0))
                throw bad_argument("form: " + form_.place_of(static_cast<index_t>(i)) + " has no radius");
            children_[static_cast<std::size_t>(p)].push_back(static_cast<std::int32_t>(i));
        }
    }

    /// As a cylinder as long as it is thick: its membrane has the area of the ball.
    void add_sphere() {
        const double r = soma_.radius;
        model_.sections.push_back({-1,
                                   0,
                                   1,
                                   region(0),
                                   2 * r,
                                   {{soma_.x - r, soma_.y, soma_.z, r}, {soma_.x + r, soma_.y, soma_.z, r}}});
        model_.compartments.push_back({-1, region(0), 4 * std::numbers::pi * r * r, 0, 0, 0.5});
        for (std::size_t i = points_.size(); i-- > 0;)
            if (soma_.merged[i]) wait_for_children(static_cast<std::int32_t>(i), 0, 0);
    }
    void add_root() {
        model_.compartments.push_back({-1, region(0), 0, 0, -1, 0});
        wait_for_children(0, -1, 0);
    }
    void wait_for_children(std::int32_t at, std::int32_t section, std::int32_t compartment) {
        const auto& all = children_[static_cast<std::size_t>(at)];
        for (std::size_t k = all.size(); k-- > 0;)
            if (!merged(all[k])) waiting_.push_back({all[k], section, compartment});
    }

    /// Where a section begins. Beyond a ball it begins at its own first point; one that has a single point
    /// begins at the ball's surface. A change of region does not taper.
    [[nodiscard]] spot beginning(std::int32_t first, bool single) const {
        const spot own = spot_of(first);
        const std::int32_t p = point(first).parent;
        if (!merged(p)) {
            spot from = spot_of(p);
            if (region(p) != region(first)) from[3] = own[3];
            return from;
        }
        if (!single) return own;
        const spot centre{soma_.x, soma_.y, soma_.z, own[3]};
        const double far = distance(centre, own);
        if (!(far > soma_.radius)) return centre;
        const double part = soma_.radius / far;
        return {centre[0] + part * (own[0] - centre[0]), centre[1] + part * (own[1] - centre[1]),
                centre[2] + part * (own[2] - centre[2]), own[3]};
    }

    /// The points of an unbranched stretch of one region.
    [[nodiscard]] std::vector<std::int32_t> stretch(std::int32_t first) const {
        std::vector<std::int32_t> out{first};
        while (true) {
            const auto& next = children_[static_cast<std::size_t>(out.back())];
            if (next.size() != 1 || region(next[0]) != region(first)) return out;
            out.push_back(next[0]);
        }
    }

    [[nodiscard]] index_t pieces(const cable_section& s, std::int32_t first) const {
        double parts = 0;  // of the rule's length
        if (g_.max_length > 0) {
            parts = s.length / g_.max_length;
        } else {
            // Length constant of a cylinder for alternating current, with um, ohm cm and uF/cm2.
            const double scale =
                1e5 / std::sqrt(4 * std::numbers::pi * g_.frequency * g_.axial_resistivity * g_.capacitance);
            for (std::size_t k = 1; k < s.points.size(); ++k)
                parts += distance(s.points[k - 1], s.points[k]) /
                         (scale * std::sqrt(s.points[k - 1][3] + s.points[k][3]));
            parts /= g_.d_lambda;
        }
        if (!(parts + static_cast<double>(model_.compartments.size()) < most_compartments))
            throw bad_argument("geometry: makes more than 2^28 compartments, at " + form_.place_of(first));
        return 2 * static_cast<index_t>((parts + (g_.max_length > 0 ? 1 - 1e-9 : 0.9)) / 2) + 1;
    }

    void add_section(const start& s) {
        const std::vector<std::int32_t> own = stretch(s.point);
        cable_section section{
            s.section, static_cast<std::int32_t>(model_.compartments.size()), 0, region(s.point), 0, {}};
        std::vector<double> along{0};  // of section.points, the lengths from the beginning
        section.points.push_back(beginning(s.point, own.size() == 1));
        for (const std::int32_t i : own) {
            const spot next = spot_of(i);
            if (const double far = distance(section.points.back(), next); far > 0) {
                along.push_back(along.back() + far);
                section.points.push_back(next);
            }
        }
        section.length = along.back();
        if (!(section.length > 0))
            throw bad_input(form_.place_of(s.point) + ": a branch without length, expected points apart");
        const index_t count = pieces(section, s.point);
        section.count = static_cast<std::int32_t>(count);
        const std::vector<half> halves = cut(section, along, count);
        const auto number = static_cast<std::int32_t>(model_.sections.size());
        place_points(section, own);
        add_compartments(section, halves, s);
        model_.sections.push_back(std::move(section));
        if (children_[static_cast<std::size_t>(own.back())].empty()) return;
        const auto last = static_cast<std::int32_t>(model_.compartments.size()) - 1;
        model_.compartments.push_back({last, region(s.point), 0, 1 / halves.back().resistance, number, 1});
        wait_for_children(own.back(), number, last + 1);
    }

    /// Cones and half compartments walked along together.
    [[nodiscard]] std::vector<half> cut(const cable_section& s, const std::vector<double>& along,
                                        index_t count) const {
        std::vector<half> out(static_cast<std::size_t>(2 * count));
        std::size_t cone = 0;
        for (std::size_t k = 0; k < out.size(); ++k) {
            const double begin = s.length * static_cast<double>(k) / static_cast<double>(out.size());
            const bool final = k + 1 == out.size();
            const double end =
                final ? s.length : s.length * static_cast<double>(k + 1) / static_cast<double>(out.size());
            while (true) {
                const double from = std::max(begin, along[cone]), to = std::min(end, along[cone + 1]);
                if (to > from) {
                    const half part =
                        cone_part(along[cone + 1] - along[cone], s.points[cone][3], s.points[cone + 1][3],
                                  {from - along[cone], to - along[cone]}, g_.axial_resistivity);
                    out[k].area += part.area;
                    out[k].resistance += part.resistance;
                }
                if (along[cone + 1] > end || cone + 2 == along.size()) break;
                ++cone;
            }
        }
        return out;
    }

    void add_compartments(const cable_section& s, const std::vector<half>& halves, const start& from) {
        const auto number = static_cast<std::int32_t>(model_.sections.size());
        std::int32_t parent = from.compartment;
        double behind = 0;  // [MOhm] from the middle of the compartment before
        for (std::int32_t k = 0; k < s.count; ++k) {
            const half &left = halves[static_cast<std::size_t>(2 * k)],
                       &right = halves[static_cast<std::size_t>(2 * k + 1)];
            model_.compartments.push_back({parent, s.region, left.area + right.area,
                                           1 / (behind + left.resistance), number, (k + 0.5) / s.count});
            parent = static_cast<std::int32_t>(model_.compartments.size()) - 1;
            behind = right.resistance;
        }
    }

    /// Of every point the compartment that it lies in.
    void place_points(const cable_section& s, const std::vector<std::int32_t>& own) {
        spot before = s.points.front();
        double at = 0;
        for (const std::int32_t i : own) {
            at += distance(before, spot_of(i));
            before = spot_of(i);
            const auto k = static_cast<std::int32_t>(std::min(at / s.length, 1.0) * s.count);
            model_.compartment_of_point[static_cast<std::size_t>(i)] = s.first + std::min(k, s.count - 1);
        }
    }

    cable_model& model_;
    const swc_tree& form_;
    const std::vector<swc_point>& points_;
    const cable_geometry& g_;
    soma_form soma_;
    std::vector<std::vector<std::int32_t>> children_;
    std::vector<start> waiting_;
};

}  // namespace
}  // namespace wale::tree

namespace wale {

cable_model::cable_model(const swc_tree& form, const cable_geometry& geometry) {
    tree::discretisation(*this, form, geometry).run();
}

const char* name_of(cable_region r) noexcept {
    switch (r) {
        case cable_region::soma:
            return "soma";
        case cable_region::axon:
            return "axon";
        case cable_region::dendrite:
            return "dendrite";
        default:
            return "apical";
    }
}

}  // namespace wale
