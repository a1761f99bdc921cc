// mesh_gmsh - Gmsh's formats 2.2 and 4.1, text and binary in either byte order, as "MSH file format" of
// Gmsh's manual describes them. Physical groups become patches. Sections that say nothing of nodes, elements
// and groups are passed over.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include "io/gmsh_bytes.hpp"
#include "io/gmsh_elements.hpp"

namespace wale::io {
namespace {

constexpr std::int64_t most_int = std::numeric_limits<std::int32_t>::max();
constexpr index_t least_name = 6;  // bytes: dimension, group and quotation marks

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

constexpr std::array<std::pair<std::string_view, const char*>, 3> refused_sections{
    {{"NOD", "$MeshFormat of version 2.2 or 4.1"},
     {"ParametricNodes", "$Nodes (Gmsh writes it with Mesh.SaveParametric = 0)"},
     {"PartitionedEntities", "a mesh that is not partitioned"}}};

class gmsh_reader {
public:
    gmsh_reader(const mesh_input& in, std::string_view bytes) : in_(in), from_(in, bytes) {
        e_.name = in.name;
    }

    mesh_elements read() {
        while (!from_.at_end()) {
            const std::string_view name = from_.word("a section");
            if (name.size() < 2 || name[0] != '$') from_.refuse_word(name, "a section such as $Nodes");
            section(name.substr(1));
        }
        if (list_[2].shapes.empty() && list_[3].shapes.empty())
            from_.refuse("the file ends without cells, expected surface or solid elements");
        assemble();
        return std::move(e_);
    }

private:
    void section(std::string_view name) {
        const std::array<std::string_view, 4> known{"MeshFormat", "Entities", "Nodes", "Elements"};
        const auto which = std::find(known.begin(), known.end(), name) - known.begin();
        const auto refuse = [&](const std::string& what) { from_.refuse("$" + escaped(name) + what); };
        for (const auto& [refused, expected] : refused_sections)
            if (name == refused) refuse(std::string(", expected ") + expected);
        const bool passed_over = which == std::ssize(known) || (which == 1 && seen_[0] && !new_);
        if (!passed_over && which != 0 && !seen_[0])
            refuse(" before $MeshFormat, expected $MeshFormat first");
        if (which == 3 && !seen_[2]) refuse(" before $Nodes, expected $Nodes first");
        if (!passed_over && std::exchange(seen_[at(which)], true)) refuse(" stands here again");
        from_.end_text_line();
        if (name == "PhysicalNames") return read_names();
        if (passed_over) return from_.pass_over_section(name);
        if (which == 0) read_format();
        if (which == 1) read_entities();
        if (which == 2) new_ ? read_nodes() : read_old_nodes();
        if (which == 3) new_ ? read_elements() : read_old_elements();
        from_.end_section(name);
    }

    void read_format() {
        const double version = from_.text_real("version 2.2 or 4.1");
        new_ = version == 4.1;
        if (!new_ && version != 2.2) from_.refuse(fixed(version) + ", expected version 2.2 or 4.1");
        const std::int64_t type = from_.text_whole("0 (text) or 1 (binary)");
        if (type != 0 && type != 1) from_.refuse(std::to_string(type) + ", expected 0 (text) or 1 (binary)");
        const std::int64_t size = from_.text_whole("the size of numbers");
        if (type == 1 && size != 8) from_.refuse(std::to_string(size) + ", expected numbers of 8 bytes");
        from_.end_text_line();
        if (type == 1) from_.be_binary();
    }
    static std::string fixed(double v) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.7g", v);
        return digits;
    }

    /// Text in binary files too.
    void read_names() {
        const index_t n =
            from_.bounded(from_.text_whole("a number of names"), least_name, "a number of names");
        for (index_t i = 0; i < n; ++i) {
            const std::int64_t dimension = from_.text_whole("a group's dimension");
            const std::int64_t group = from_.text_whole("a physical group");
            std::string_view name = from_.rest_of_line();
            if (name.size() < 2 || name.front() != '"' || name.back() != '"')
                from_.refuse_word(name, "a name in quotation marks");
            name = name.substr(1, name.size() - 2);
            if (escaped(name) != name) from_.refuse_word(name, "a name of printable text");
            names_[{dimension, group}] = name;
        }
        from_.end_section("PhysicalNames");
    }

    /// Of several groups of an entity the first one counts.
    void read_entities() {
        std::array<index_t, 4> count{};
        for (index_t& n : count)
            n = from_.bounded(from_.size("a number of entities"), from_.least(1, 1, 3),
                              "a number of entities");
        for (int d = 0; d < 4; ++d)
            for (index_t i = 0; i < count[at(d)]; ++i) {
                const std::int64_t entity = from_.whole("an entity");
                from_.skip_reals(d == 0 ? 3 : 6);
                const index_t groups = ints_that_follow("a number of physical groups");
                for (index_t g = 0; g < groups; ++g) {
                    const std::int32_t group = physical_group();
                    if (g == 0) group_of_[{d, entity}] = group;
                }
                const index_t bounds = d == 0 ? 0 : ints_that_follow("a number of bounding entities");
                for (index_t b = 0; b < bounds; ++b) (void)from_.whole("a bounding entity");
                from_.end_record();
            }
    }
    index_t ints_that_follow(const char* what) {
        return from_.bounded(from_.size(what), from_.least(1, 0, 0), what);
    }
    /// Negative groups are turned round, which says nothing of a face.
    std::int32_t physical_group() {
        const std::int64_t group = from_.whole("a physical group");
        if (group < -most_int || group > most_int)
            from_.refuse(std::to_string(group) + ", expected a physical group of 32 bits");
        return static_cast<std::int32_t>(std::abs(group));
    }

    struct some_nodes {
        std::vector<std::int64_t> number;
        std::vector<double> points;
    };
    static void take_node(gmsh_bytes& from, std::int64_t node, some_nodes& to) {
        if (node < 1) from.refuse("node " + std::to_string(node) + ", expected a number above 0");
        to.number.push_back(node);
    }
    static void take_point(gmsh_bytes& from, some_nodes& to) {
        for (int d = 0; d < 3; ++d) to.points.push_back(from.real("a coordinate, a finite number"));
    }
    template <class TakeOne>
    void take_nodes(index_t count, const TakeOne& take_one) {
        from_.take_records<some_nodes>(count, take_one, [&](const some_nodes& some, index_t) {
            nodes_.insert(nodes_.end(), some.number.begin(), some.number.end());
            e_.points.insert(e_.points.end(), some.points.begin(), some.points.end());
        });
    }
    void check_number_of_nodes(std::int64_t n) const {
        if (n > most_int) from_.refuse(std::to_string(n) + " nodes, expected at most 2^31 - 1");
    }
    /// Points are numbered as nodes are, in whatever order blocks come: both formats make the same mesh.
    void sort_nodes() {
        std::vector<std::pair<std::int64_t, std::size_t>> order(nodes_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = {nodes_[i], i};
        if (!std::is_sorted(order.begin(), order.end())) {
            std::sort(order.begin(), order.end());
            const std::vector<double> points = std::move(e_.points);
            e_.points.clear();
            for (const auto& [node, place] : order)
                e_.points.insert(e_.points.end(), &points[3 * place], &points[3 * place] + 3);
            std::sort(nodes_.begin(), nodes_.end());
        }
        const auto twice = std::adjacent_find(nodes_.begin(), nodes_.end());
        if (twice != nodes_.end())
            from_.refuse("node " + std::to_string(*twice) + " is there twice, expected once");
    }

    void read_old_nodes() {
        const std::int64_t n = from_.text_whole("a number of nodes");
        from_.end_text_line();
        check_number_of_nodes(n);
        const index_t count = from_.bounded(n, from_.least(1, 0, 3), "a number of nodes");
        take_nodes(count, [](gmsh_bytes& from, some_nodes& to) {
            take_node(from, from.whole("a node"), to);
            take_point(from, to);
            from.end_record();
        });
        sort_nodes();
    }
    void read_nodes() {
        const auto [blocks, count] = sizes_of_blocks(from_.least(0, 1, 3), "a number of nodes");
        check_number_of_nodes(count);
        for (index_t b = 0; b < blocks; ++b) {
            const std::int64_t dimension = from_.whole("an entity's dimension");
            (void)from_.whole("an entity");
            const bool parametric = from_.whole("0, or 1 where nodes have parameters") != 0;
            if (dimension < 0 || dimension > 3)
                from_.refuse("dimension " + std::to_string(dimension) + ", expected 0 to 3");
            const index_t n = of_block(count - std::ssize(nodes_), from_.least(0, 1, 3), "a number of nodes");
            take_nodes(n, [](gmsh_bytes& from, some_nodes& to) {
                take_node(from, from.size("a node"), to);
                from.end_record();
            });
            const int more = parametric ? static_cast<int>(dimension) : 0;
            take_nodes(n, [more](gmsh_bytes& from, some_nodes& to) {
                take_point(from, to);
                from.skip_reals(more);
                from.end_record();
            });
        }
        all_there(std::ssize(nodes_), count, " nodes");
        sort_nodes();
    }

    /// How many blocks, and how many nodes or elements they have.
    std::pair<index_t, index_t> sizes_of_blocks(index_t each, const char* what) {
        const index_t blocks =
            from_.bounded(from_.size("a number of blocks"), from_.least(3, 1, 0), "a number of blocks");
        const index_t count = from_.bounded(from_.size(what), each, what);
        for (int i = 0; i < 2; ++i) (void)from_.size("the least and the greatest number");
        from_.end_record();
        return {blocks, count};
    }
    index_t of_block(index_t most, index_t each, const char* what) {
        const std::int64_t n = from_.size(what);
        if (n > most)
            from_.refuse(std::to_string(n) + ", expected " + what + " of at most the " +
                         std::to_string(most) + " left");
        (void)from_.bounded(n, each, what);
        from_.end_record();
        return n;
    }
    void all_there(index_t n, index_t count, const char* what) {
        if (n != count) from_.refuse(std::to_string(n) + what + ", expected " + std::to_string(count));
    }

    const element_type& type() {
        const std::int64_t number = from_.whole("an element's type");
        for (const element_type& t : element_types)
            if (t.number == number) return t;
        from_.refuse("element of type " + std::to_string(number) +
                     ", expected first order: 1 to 7, or 15 (Gmsh writes it with Mesh.ElementOrder = 1)");
    }
    [[nodiscard]] std::int32_t point(const gmsh_bytes& from, std::int64_t node) const {
        const index_t count = std::ssize(nodes_);
        index_t place = count > 0 ? std::clamp<std::int64_t>(node, 1, most_int) - nodes_.front() : 0;
        if (place < 0 || place >= count || nodes_[at(place)] != node)  // numbers have gaps
            place = std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin();
        if (place == count || nodes_[at(place)] != node)
            from.refuse("node " + std::to_string(node) + ", expected one of $Nodes");
        return static_cast<std::int32_t>(place);
    }
    void take_element(gmsh_bytes& from, const element_type& t, std::int32_t group, element_list& to) const {
        for (int i = 0; i < t.corners; ++i)
            to.corners.push_back(point(from, new_ ? from.size("a node") : from.whole("a node")));
        to.first_corner.push_back(std::ssize(to.corners));
        to.shapes.push_back(t.shape);
        to.group.push_back(group);
        if (from.line() != 0) to.line.push_back(from.line());
        from.end_record();
    }

    /// The first tag of an element is its physical group. Binary elements come in blocks with one head.
    void read_old_elements() {
        const std::int64_t n = from_.text_whole("a number of elements");
        from_.end_text_line();
        const index_t count = from_.bounded(n, from_.least(2, 0, 0), "a number of elements");
        for (index_t i = 0; i < count;) {
            const bool text = from_.line() != 0;
            if (text) (void)from_.whole("an element");
            const element_type& t = type();
            const std::int64_t block = text ? 1 : from_.whole("a number of elements");
            if (block < 1 || block > count - i)
                from_.refuse(std::to_string(block) + ", expected 1 to " + std::to_string(count - i));
            const std::int64_t tags = from_.whole("a number of tags");
            (void)from_.bounded(tags, from_.least(1, 0, 0), "a number of tags");
            for (index_t b = 0; b < block; ++b, ++i) {
                if (!text) (void)from_.whole("an element");
                const std::int32_t group = tags > 0 ? physical_group() : 0;
                for (index_t k = 1; k < tags; ++k) (void)from_.whole("a tag");
                take_element(from_, t, group, list_[at(t.dimensions)]);
                drop_repeated(list_[at(t.dimensions)]);
            }
        }
    }
    void read_elements() {
        const auto [blocks, count] = sizes_of_blocks(from_.least(0, 2, 0), "a number of elements");
        index_t found = 0;
        for (index_t b = 0; b < blocks; ++b) {
            const std::int64_t dimension = from_.whole("an entity's dimension");
            const std::int64_t entity = from_.whole("an entity");
            const element_type& t = type();
            if (t.dimensions != dimension)
                from_.refuse("element of type " + std::to_string(t.number) + " in an entity of dimension " +
                             std::to_string(dimension) + ", expected dimension " +
                             std::to_string(t.dimensions));
            const index_t n =
                of_block(count - found, from_.least(0, 1 + t.corners, 0), "a number of elements");
            const auto known = group_of_.find({t.dimensions, entity});
            const std::int32_t group = known == group_of_.end() ? 0 : known->second;
            from_.take_records<element_list>(
                n,
                [&](gmsh_bytes& from, element_list& to) {
                    (void)from.size("an element");
                    take_element(from, t, group, to);
                },
                [&](const element_list& some, index_t line) { append(list_[at(t.dimensions)], some, line); });
            found += n;
        }
        all_there(found, count, " elements");
    }

    void assemble() {
        e_.dimensions = list_[3].shapes.empty() ? 2 : 3;
        element_list& cells = list_[at(e_.dimensions)];
        in_.check_cells(0, std::ssize(cells.shapes));
        e_.shapes = std::move(cells.shapes);
        e_.first_corner = std::move(cells.first_corner);
        e_.corners = std::move(cells.corners);
        e_.line = std::move(cells.line);
        if (e_.dimensions == 2) flatten();
        assemble_patches(list_[at(e_.dimensions - 1)]);
    }
    void flatten() {
        const auto z = [&](std::int32_t p) { return e_.points[3 * at(p) + 2]; };
        const double first = z(e_.corners[0]);
        for (std::size_t c = 0; c < e_.shapes.size(); ++c)
            for (index_t k = e_.first_corner[c]; k < e_.first_corner[c + 1]; ++k)
                if (const double found = z(e_.corners[at(k)]); found != first)
                    in_.refuse(e_.line.empty() ? 0 : e_.line[c],
                               "z = " + fixed(found) + " without solid cells, expected " + fixed(first));
        for (std::size_t i = 2; i < e_.points.size(); i += 3) e_.points[i] = 0;
    }
    /// In the order in which groups come; groups of one name are one patch. Elements of no group say nothing.
    void assemble_patches(const element_list& faces) {
        std::map<std::int32_t, std::size_t> patch_of_group;
        for (std::size_t i = 0; i < faces.group.size(); ++i) {
            const std::int32_t group = faces.group[i];
            if (group == 0) continue;
            const auto [known, is_new] = patch_of_group.try_emplace(group, 0);
            if (is_new) known->second = patch_named(name_of_group(group));
            mesh_elements::patch& p = e_.patches[known->second];
            p.corners.insert(p.corners.end(), faces.corners.begin() + faces.first_corner[i],
                             faces.corners.begin() + faces.first_corner[i + 1]);
            p.first_corner.push_back(std::ssize(p.corners));
            if (!faces.line.empty()) p.line.push_back(faces.line[i]);
        }
    }
    std::string name_of_group(std::int32_t group) const {
        const auto name = names_.find({e_.dimensions - 1, group});
        return name == names_.end() || name->second.empty() ? std::to_string(group) : name->second;
    }
    std::size_t patch_named(const std::string& name) {
        const auto [known, is_new] = patch_of_name_.try_emplace(name, e_.patches.size());
        if (is_new) e_.patches.emplace_back().name = name;
        return known->second;
    }

    using numbered = std::pair<std::int64_t, std::int64_t>;  // dimension, and entity or group
    const mesh_input& in_;
    gmsh_bytes from_;
    mesh_elements e_;
    std::array<bool, 4> seen_{};  // MeshFormat, Entities, Nodes, Elements
    bool new_ = false;            // 4.1
    std::map<numbered, std::string> names_;
    std::map<numbered, std::int32_t> group_of_;  // of entities
    std::vector<std::int64_t> nodes_;            // their numbers in the file, sorted: node i is point i
    std::map<std::string, std::size_t> patch_of_name_;
    std::array<element_list, 4> list_;  // by dimension
};

}  // namespace

bool is_gmsh(std::string_view head) {
    head.remove_prefix(at(mark_bytes(head)));
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] == '$';
}

mesh read_gmsh(const mesh_input& in) {
    const std::string bytes = in.all_text();
    return build_mesh(gmsh_reader(in, bytes).read());
}

}  // namespace wale::io
