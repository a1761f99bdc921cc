// cgns_structured_test - structured zones of CGNS files that the library itself writes: blocks joined one to
// one, O- and C-grids that close on themselves, poles; what is refused.
#include <cgnslib.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>
#include <wale/error.hpp>
#include <wale/euler.hpp>

#include "unit/mesh_files.hpp"

namespace wale {
namespace {

using place = std::array<double, 3>;
using shape_of_points = std::function<place(double i, double j, double k)>;
using sizes = std::vector<cgsize_t>;  // an axis each: 2 or 3

void check(int code) {
    ASSERT_EQ(code, CG_OK) << cg_get_error();
}

class blocks_writer {
public:
    blocks_writer(const std::string& path, int dimensions)
        : dimensions_(static_cast<std::size_t>(dimensions)) {
        std::filesystem::remove(path);
        int base = 0;
        check(cg_set_file_type(CG_FILE_HDF5));
        check(cg_open(path.c_str(), CG_MODE_WRITE, &file_));
        check(cg_base_write(file_, "Base", dimensions, dimensions, &base));
    }
    ~blocks_writer() { EXPECT_EQ(cg_close(file_), CG_OK) << cg_get_error(); }
    blocks_writer(const blocks_writer&) = delete;
    blocks_writer& operator=(const blocks_writer&) = delete;

    [[nodiscard]] int file() const { return file_; }

    /// Points at `where` of their indices from 0.
    int zone(const char* name, const sizes& n, const shape_of_points& where, DataType_t type = RealDouble) {
        sizes size = n;
        for (const cgsize_t points : n) size.push_back(points - 1);
        size.resize(3 * n.size(), 0);
        int z = 0, c = 0;
        check(cg_zone_write(file_, 1, name, size.data(), Structured, &z));
        for (std::size_t d = 0; d < dimensions_; ++d) {
            std::vector<double> line;
            for (cgsize_t k = 0; k < (n.size() > 2 ? n[2] : 1); ++k)
                for (cgsize_t j = 0; j < n[1]; ++j)
                    for (cgsize_t i = 0; i < n[0]; ++i)
                        line.push_back(
                            where(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k))[d]);
            const std::vector<float> floats(line.begin(), line.end());
            const void* data = type == RealDouble ? static_cast<const void*>(line.data()) : floats.data();
            const std::string coordinate = std::string("Coordinate") + "XYZ"[d];
            check(cg_coord_write(file_, 1, z, type, coordinate.c_str(), data, &c));
        }
        return z;
    }

    void condition(int zone, const char* name, const sizes& range, const char* family = nullptr,
                   GridLocation_t location = Vertex, BCType_t type = BCWall) {
        int c = 0;
        check(cg_boco_write(file_, 1, zone, name, type, PointRange, 2, range.data(), &c));
        if (location != Vertex) check(cg_boco_gridlocation_write(file_, 1, zone, c, location));
        if (family == nullptr) return;
        check(cg_goto(file_, 1, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", c, "end"));
        check(cg_famname_write(family));
    }

    void join(int zone, const char* donor, const sizes& range, const sizes& donor_range,
              const std::vector<int>& transform, bool periodic = false) {
        int c = 0;
        const std::string zone_name = std::string(donor).substr(std::string(donor).rfind('/') + 1);
        const std::string name = "to" + zone_name + std::to_string(range[0]);
        check(cg_1to1_write(file_, 1, zone, name.c_str(), donor, range.data(), donor_range.data(),
                            transform.data(), &c));
        const std::array<float, 3> none{}, far{0, 1, 0};
        if (periodic) check(cg_1to1_periodic_write(file_, 1, zone, c, none.data(), none.data(), far.data()));
    }

private:
    std::size_t dimensions_;
    int file_ = 0;
};

class cgns_structured : public testing::Test {
protected:
    void SetUp() override {
        path_ = (std::filesystem::temp_directory_path() / ("wale_s" + std::to_string(getpid()) + ".cgns"))
                    .string();
    }
    void TearDown() override { std::filesystem::remove(path_); }

    mesh read(int dimensions, const std::function<void(blocks_writer&)>& write) {
        {
            blocks_writer out(path_, dimensions);
            write(out);
        }
        return read_mesh(path_);
    }
    std::string refusal(int dimensions, const std::function<void(blocks_writer&)>& write) {
        try {
            (void)read(dimensions, write);
        } catch (const bad_input& e) {
            EXPECT_TRUE(std::string(e.what()).starts_with(path_ + ": ")) << e.what();
            return std::string(e.what()).substr(path_.size() + 2);
        }
        return "";
    }
    /// Points, cells that close, faces of the patches.
    static void expect_sound(const mesh& m, std::size_t points, const std::vector<std::string>& patches,
                             const std::vector<index_t>& faces) {
        EXPECT_EQ(m.points.size() / 3, points);
        EXPECT_EQ(m.patches, patches);
        const mesh_report r = inspect(m);
        EXPECT_EQ(r.patch_faces, faces);
        EXPECT_EQ(r.verdict, "");
        EXPECT_EQ(r.parts, 1);
        EXPECT_LT(r.gauss, 1e-14 * static_cast<double>(m.rows()));
    }

    std::string path_;
};

place bent(double i, double j, double k) {
    return {0.25 * i + 0.01 * j * j, 0.5 * j + 0.02 * i * k, 0.125 * k};
}

TEST_F(cgns_structured, one_block_and_two_joined_are_one_mesh) {
    const auto sides = [](blocks_writer& w, int z, cgsize_t nk) {
        w.condition(z, "a", {1, 1, 1, 1, 4, nk}, "ends");
        w.condition(z, "b", {5, 1, 1, 5, 3, nk - 1}, "ends", IFaceCenter);
        w.condition(z, "south", {1, 1, 1, 5, 1, nk});
        w.condition(z, "north", {1, 4, 1, 4, 4, nk - 1}, nullptr, FaceCenter);
    };
    const mesh one = read(3, [&](blocks_writer& w) {
        const int z = w.zone("All", {5, 4, 7}, bent);
        sides(w, z, 7);
        w.condition(z, "low", {1, 1, 1, 5, 4, 1});
        w.condition(z, "high", {1, 1, 7, 5, 4, 7});
    });
    expect_sound(one, 140, {"ends", "south", "north", "low", "high"}, {36, 24, 24, 12, 12});
    EXPECT_EQ(one.cells(), 72);
    for (const bool both_ways : {false, true}) {
        const mesh two = read(3, [&](blocks_writer& w) {
            const int a = w.zone("Block1", {5, 4, 4}, bent);
            const int b =
                w.zone("Block2", {5, 4, 4}, [](double i, double j, double k) { return bent(i, j, k + 3); });
            sides(w, a, 4);
            sides(w, b, 4);
            w.condition(a, "low", {1, 1, 1, 5, 4, 1});
            w.condition(b, "high", {1, 1, 4, 5, 4, 4});
            w.join(a, "Block2", {1, 1, 4, 5, 4, 4}, {1, 1, 1, 5, 4, 1}, {1, 2, 3});
            if (both_ways) w.join(b, "Block1", {1, 1, 1, 5, 4, 1}, {1, 1, 4, 5, 4, 4}, {1, 2, 3});
        });
        expect_same_mesh(two, one);
    }
}

/// A channel with a bump.
place channel(double i, double j) {
    const double x = (i - 8) / 8, floor = 0.1 * std::exp(-8 * x * x);
    return {x, floor + (1 - floor) * j / 8, 0};
}

TEST_F(cgns_structured, flow_over_a_turned_block_is_that_over_one_block) {
    const mesh one = read(2, [](blocks_writer& w) {
        const int z = w.zone("All", {17, 9}, [](double i, double j, double) { return channel(i, j); });
        w.condition(z, "inflow", {1, 1, 1, 9});
        w.condition(z, "outflow", {17, 1, 17, 9});
        w.condition(z, "wall", {1, 1, 17, 1});
        w.condition(z, "symmetry", {1, 9, 17, 9});
    });
    expect_sound(one, 153, {"inflow", "outflow", "wall", "symmetry"}, {8, 8, 16, 16});
    // The right half by i = 9 - y, j = 9 - x: its high j is the middle, which the left half's high i meets.
    const mesh two = read(2, [](blocks_writer& w) {
        const int a = w.zone("Left", {9, 9}, [](double i, double j, double) { return channel(i, j); });
        const int b =
            w.zone("Right", {9, 9}, [](double i, double j, double) { return channel(16 - j, 8 - i); });
        w.condition(a, "inflow", {1, 1, 1, 9});
        w.condition(b, "outflow", {1, 1, 8, 1}, nullptr, EdgeCenter);
        w.condition(a, "wall", {1, 1, 9, 1});
        w.condition(b, "floor", {9, 1, 9, 9}, "wall");
        w.condition(a, "symmetry", {1, 9, 9, 9});
        w.condition(b, "top", {1, 1, 1, 9}, "symmetry");
        w.join(a, "Base/Right", {9, 1, 9, 9}, {9, 9, 1, 9}, {-2, -1});
    });
    expect_sound(two, 153, {"inflow", "wall", "symmetry", "outflow"}, {8, 16, 16, 8});
    euler_options o;
    o.stream.mach = 2;
    o.scheme.time = euler_time::jameson;
    o.scheme.limiter = euler_limiter::smooth;
    constexpr int iterations = 30;
    std::array<std::vector<euler_state>, 2> state;
    for (const int m : {0, 1}) {
        euler_case flow(m == 0 ? one : two, o);
        EXPECT_EQ(flow.run(on_cpu{.threads = 1}, iterations).end, euler_end::iterations);
        state[static_cast<std::size_t>(m)] = flow.state();
    }
    const std::vector<index_t> same = nearest_cells(one, two);
    // A cell sums four faces in another order: three roundings of a flux, each at most CFL / 2 of a state,
    // in three stages; gradients and limiter double that. Stable steps do not let it grow, but near the bow
    // wave each iteration's may be a few times as large: 8 covers that.
    const double bound = 8.0 * iterations * 3 * 3 * 2 * std::numeric_limits<double>::epsilon();
    double moved = 0;
    for (std::size_t c = 0; c < same.size(); ++c)
        for (std::size_t v = 0; v < 5; ++v) {
            const euler_state& a = state[0][static_cast<std::size_t>(same[c])];
            EXPECT_NEAR(state[1][c][v], a[v], bound * a[4]) << "cell " << c << ", variable " << v;
            moved = std::max(moved, std::fabs(a[v] - o.stream.state()[v]));
        }
    EXPECT_GT(moved, 0.1);
}

TEST_F(cgns_structured, o_grid_closes_on_itself) {
    const mesh m = read(2, [](blocks_writer& w) {
        const int z = w.zone("Ring", {25, 5}, [](double i, double j, double) -> place {
            const double t = -2 * std::numbers::pi * i / 24;  // both ends differ by rounding
            return {(1 + j) * std::cos(t), (1 + j) * std::sin(t), 0};
        });
        w.condition(z, "wall", {1, 1, 25, 1});
        w.condition(z, "farfield", {1, 5, 25, 5});
        w.join(z, "Ring", {1, 1, 1, 5}, {25, 1, 25, 5}, {1, 2});
        w.join(z, "Ring", {25, 1, 25, 5}, {1, 1, 1, 5}, {1, 2});
    });
    expect_sound(m, 24 * 5, {"wall", "farfield"}, {24, 24});
    EXPECT_NEAR(inspect(m).volume, 0.5 * 24 * (25 - 1) * std::sin(2 * std::numbers::pi / 24), 1e-12);
}

TEST_F(cgns_structured, c_grid_closes_along_the_wake) {
    // 4 cells of wake, 12 round a flat body, 4 of wake back.
    const mesh m = read(2, [](blocks_writer& w) {
        const int z = w.zone("Cgrid", {21, 4}, [](double i, double j, double) -> place {
            if (i <= 4) return {2 + (4 - i), -j, 0};
            if (i >= 16) return {2 + (i - 16), j, 0};
            const double t = std::numbers::pi * (i - 10) / 6;  // a diamond-like body from x = 0 to 2
            return {1 - std::cos(t) - j * std::cos(t / 2), 0.2 * std::sin(t) + j * std::sin(t / 2), 0};
        });
        w.condition(z, "wall", {5, 1, 17, 1});
        w.condition(z, "farfield", {1, 4, 21, 4});
        w.condition(z, "outflow", {1, 1, 1, 4});
        w.condition(z, "outflow2", {21, 1, 21, 4}, "outflow");
        w.join(z, "Cgrid", {1, 1, 5, 1}, {21, 1, 17, 1}, {-1, -2});
    });
    expect_sound(m, 84 - 5, {"wall", "farfield", "outflow"}, {12, 20, 6});
}

/// A ball by radius, angle from the north pole, angle round it.
place ball(double r, double from_pole, double round) {
    const double t = std::numbers::pi * from_pole / 6, p = 2 * std::numbers::pi * round / 8;
    return {r * std::sin(t) * std::cos(p), r * std::sin(t) * std::sin(p), r * std::cos(t)};
}

TEST_F(cgns_structured, poles_make_prisms_pyramids_and_tetrahedra) {
    for (const DataType_t type : {RealDouble, RealSingle}) {
        const mesh m = read(3, [&](blocks_writer& w) {
            const int z = w.zone("Ball", {4, 7, 9}, ball, type);
            w.condition(z, "shell", {4, 1, 1, 4, 7, 9});
            w.condition(z, "axis", {1, 1, 1, 4, 1, 9}, nullptr, Vertex, BCDegenerateLine);
            w.join(z, "Ball", {1, 1, 1, 4, 7, 1}, {1, 1, 9, 4, 7, 9}, {1, 2, 3});
        });
        expect_sound(m, 1 + 3 * (2 + 5 * 8), {"shell"}, {48});
        std::array<int, 6> shapes{};
        for (const cell_shape s : m.shapes) ++shapes[static_cast<std::size_t>(s)];
        // Round: 8. At the centre 2 tetrahedra and 4 pyramids, in both shells outward 2 prisms and 4
        // hexahedra.
        EXPECT_EQ(shapes, (std::array<int, 6>{0, 0, 16, 32, 32, 64}));
        EXPECT_NEAR(inspect(m).volume, 4.0 / 3 * std::numbers::pi * 27, 0.2 * 113);
    }
    const mesh flat = read(2, [](blocks_writer& w) {  // a sector whose tip is one point
        w.zone("Sector", {3, 4}, [](double i, double j, double) -> place { return {i, i * j, 0}; });
    });
    expect_sound(flat, 1 + 8, {"unnamed"}, {2 + 2 + 3});
    EXPECT_EQ(flat.shapes[0], cell_shape::triangle);
    EXPECT_EQ(flat.shapes[1], cell_shape::quadrilateral);
}

TEST_F(cgns_structured, periodic_connections_are_patches) {
    mesh m = read(2, [](blocks_writer& w) {
        const int z = w.zone("Zone", {3, 4}, [](double i, double j, double) -> place { return {i, j, 0}; });
        w.join(z, "Zone", {1, 1, 3, 1}, {1, 4, 3, 4}, {1, 2}, true);
        w.join(z, "Zone", {3, 4, 1, 4}, {3, 1, 1, 1}, {1, 2}, true);
    });
    expect_sound(m, 12, {"toZone1", "toZone3", "unnamed"}, {2, 2, 6});
    join_periodic(m, "toZone1", "toZone3");
    EXPECT_EQ(inspect(m).patch_faces, (std::vector<index_t>{0, 0, 6}));
}

TEST_F(cgns_structured, refuses_in_a_line) {
    const auto square = [](double i, double j, double) -> place { return {i, j, 0}; };
    const auto beside = [](double i, double j, double) -> place { return {i + 2, j, 0}; };
    const auto two = [&](const sizes& range, const sizes& donor, const std::vector<int>& transform,
                         const char* name = "B") {
        return refusal(2, [&](blocks_writer& w) {
            w.zone("A", {3, 4}, square);
            w.zone("B", {3, 4}, beside);
            w.join(1, name, range, donor, transform);
        });
    };
    EXPECT_EQ(two({3, 1, 3, 4}, {1, 1, 1, 4}, {1, 2}), "");
    EXPECT_EQ(two({3, 1, 3, 4}, {1, 1, 1, 4}, {1, 2}, "C"),
              "connection 'toC3' of zone 'A' leads to zone 'C', expected one of the file");
    EXPECT_EQ(
        two({3, 1, 3, 4}, {1, 4, 1, 1}, {1, -2}),
        "connection 'toB3' of zone 'A' joins points that are 3.000000 apart, expected at most 0.000030");
    EXPECT_EQ(
        two({3, 1, 3, 4}, {1, 4, 1, 1}, {1, 2}),
        "connection 'toB3' of zone 'A' goes 3 points along axis 2 of the other zone, whose range says -3");
    EXPECT_EQ(two({3, 1, 3, 4}, {1, 2, 1, 5}, {1, 2}),
              "connection 'toB3' of zone 'A' has point 5 along axis 2 of zone 'B', expected 1 to 4");
    EXPECT_EQ(two({2, 1, 3, 4}, {1, 1, 2, 4}, {1, 2}),
              "connection 'toB2' of zone 'A' joins cells, expected the points of one side");
    EXPECT_EQ(two({3, 1, 3, 1}, {1, 1, 1, 1}, {2, 2}),
              "connection 'toB3' of zone 'A' has axis 2 in its transformation, expected each axis once");
    const auto condition = [&](const sizes& range, GridLocation_t location = Vertex) {
        return refusal(2, [&](blocks_writer& w) {
            w.condition(w.zone("A", {3, 4}, square), "odd", range, nullptr, location);
        });
    };
    EXPECT_EQ(condition({1, 1, 1, 4}), "");
    EXPECT_EQ(condition({2, 1, 2, 4}),
              "condition 'odd' of zone 'A' lies inside the zone, expected point 1 or 3 along axis 1");
    EXPECT_EQ(condition({1, 1, 1, 1}),
              "condition 'odd' of zone 'A' has no faces, expected the points of one side");
    EXPECT_EQ(condition({1, 1, 2, 4}),
              "condition 'odd' of zone 'A' covers cells, expected the points of one side");
    EXPECT_EQ(condition({1, 1, 1, 5}),
              "condition 'odd' of zone 'A' has point 5 along axis 2 of zone 'A', expected 1 to 4");
    EXPECT_EQ(
        condition({1, 1, 1, 1}, EdgeCenter),
        "condition 'odd' of zone 'A' is of EdgeCenter on no certain side, expected Vertex, IFaceCenter, "
        "JFaceCenter or KFaceCenter");
    EXPECT_EQ(refusal(2,
                      [&](blocks_writer& w) {
                          const int z = w.zone("A", {3, 4}, square);
                          const cgsize_t points[] = {1, 1, 1, 2};
                          int c = 0;
                          check(cg_boco_write(w.file(), 1, z, "listed", BCWall, PointList, 2, points, &c));
                      }),
              "condition 'listed' of zone 'A' is no PointRange, which is expected");
    EXPECT_EQ(refusal(2,
                      [&](blocks_writer& w) {
                          const int z = w.zone("A", {3, 4}, square);
                          const cgsize_t own[] = {3, 1, 3, 4};
                          int c = 0;
                          check(cg_conn_write_short(w.file(), 1, z, "over", Vertex, Overset, PointRange, 2,
                                                    own, "A", &c));
                      }),
              "zone 'A' has a connection of points or cells, expected GridConnectivity1to1_t alone");
    EXPECT_EQ(refusal(3,
                      [](blocks_writer& w) {  // one edge of the cell has no length
                          w.zone("A", {2, 2, 2}, [](double i, double j, double k) -> place {
                              return {j + k > 0 ? i : 0, j, k};
                          });
                      }),
              "cell (1, 1, 1) of zone 'A' has corners that fall together to 7, expected a hexahedron, prism, "
              "pyramid or tetrahedron");
    EXPECT_EQ(refusal(2,
                      [](blocks_writer& w) {
                          w.zone("A", {3, 1}, bent);
                      }),
              "zone 'A' has 1 points along axis 2, expected 2 or more, and at most 2147483647 in all");
    EXPECT_EQ(refusal(2,
                      [&](blocks_writer& w) {
                          w.zone("A", {3, 4}, square);
                          const cgsize_t size[3] = {4, 1, 0};
                          int z = 0;
                          check(cg_zone_write(w.file(), 1, "U", size, Unstructured, &z));
                      }),
              "2 zones of which 1 are structured, expected structured zones or one unstructured");
    EXPECT_TRUE(refusal(2,
                        [](blocks_writer& w) {  // without points
                            const cgsize_t size[] = {3, 3, 2, 2, 0, 0};
                            int z = 0;
                            check(cg_zone_write(w.file(), 1, "A", size, Structured, &z));
                        })
                    .starts_with("CGNS: "));
    EXPECT_TRUE(refusal(2,
                        [&](blocks_writer& w) {  // a face that two cells have already
                            w.zone("A", {3, 4}, square);
                            w.zone("B", {3, 4}, square);
                            w.join(1, "B", {2, 1, 2, 4}, {2, 1, 2, 4}, {1, 2});
                        })
                    .find("is a third cell's") != std::string::npos);
}

}  // namespace
}  // namespace wale
