// swc_file - the shapes of neurons: points with a radius, each with the point that it grew from (SWC; Cannon
// et al. 1998). Text, seven columns: number, type, x, y, z, radius, number of the parent or -1; # starts a
// comment, also behind the columns. Whole numbers may be written as 1.0. What follows the seventh column is
// ignored, as NEURON and Arbor do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include <wale/layout.hpp>
#include <wale/output_file.hpp>

namespace wale {

struct swc_point {
    static constexpr int soma = 1, axon = 2, basal_dendrite = 3, apical_dendrite = 4;

    std::int64_t number = 0;                 // as the file has it
    int type = 0;                            // soma, ...; others are anybody's
    double x = 0, y = 0, z = 0, radius = 0;  // [um]
    std::int32_t parent = -1;                // place in swc_tree::points; -1: the root
    index_t line = 0;                        // of the file; 0: none
};

/// One tree. Every point stands after its parent; the root is the first.
struct swc_tree {
    std::string name;  // of the file, for messages
    std::vector<swc_point> points;
    /// Points whose radius the file gives as 0, as skeletons of volumes have them. Such a point has the
    /// radius of its parent; the smallest positive radius of the file where it is the root, or the parent
    /// belongs to the soma and the point does not.
    index_t thickened = 0;
    index_t first_thickened = 0;  // line of the first of them, in the order of `points`

    /// "cell.swc:17", the place of a point in messages.
    [[nodiscard]] std::string place_of(index_t point) const;
};

struct swc_options {
    index_t max_points = index_t{1} << 27;
};

/// Reads a tree; `-` is standard input. Points may stand in any order; they keep it where parents stand
/// first, else they come depth first. Throws cannot_open, or bad_input "file:line: value, expected" for a
/// number that is not one or stands twice, a parent that is missing, a cycle, several roots or none, a
/// negative radius, radius 0 at every point.
[[nodiscard]] swc_tree read_swc(const std::string& path, const swc_options& options = {});

/// The same from memory; `name` stands in messages. This is what the fuzzer drives.
[[nodiscard]] swc_tree parse_swc(std::string_view bytes, const std::string& name,
                                 const swc_options& options = {});

/// With as many digits as it takes to read the same bits again; points are numbered from 1 in their order.
void write_swc(output_file& out, const swc_tree& tree);

struct neuron_options {
    std::uint64_t seed = 1;
    int stems = 5;        // dendrites at the soma; one more process is the axon
    int levels = 4;       // forks on the way to a tip
    double step = 8;      // [um] between points
    double length = 60;   // [um] from fork to fork, more or less
    double radius = 1.2;  // [um] of stems; 3/2 powers are halved at forks (Rall 1959)
};

/// A made neuron: soma of one point, dendrites that fork in two, an axon. The same options
/// give the same tree on every machine.
[[nodiscard]] swc_tree grow_neuron(const neuron_options& options = {});

}  // namespace wale
