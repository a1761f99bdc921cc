// mesh_options - what `wale mesh` takes.
#include <CLI/CLI.hpp>
#include <wale/enumerators.hpp>

#include "failure.hpp"
#include "mesh.hpp"
#include "numbers.hpp"

namespace wale::cli {
namespace {

CLI::App& add_verb(CLI::App& group, mesh_command& o, const std::string& name, const char* summary,
                   const char* example) {
    CLI::App& verb = *group.add_subcommand(name, summary);
    verb.add_flag("--json", o.json, "write what was found to standard output as JSON, errors too");
    verb.callback([&o, name] { o.verb = name; });
    verb.footer(std::string("Example:\n  wale mesh ") + name + " " + example + "\n");
    return verb;
}

void add_input(CLI::App& verb, mesh_command& o) {
    verb.add_option(
            "mesh", o.input,
            "fvcorr, SAC, SU2, Gmsh (2.2, 4.1), CGNS, a folder of polyMesh or Wale's cache, recognised by "
            "content; plain or gzip; - is "
            "standard input")
        ->required();
    verb.add_flag("--open-ends", o.open_ends, "fvcorr: neighbours beyond the file's end are far field");
    add_threads(verb, o.threads, "CPU threads that read text; 0: all that this process may use");
}

void add_output(CLI::App& verb, mesh_command& o) {
    verb.add_option("--to", o.to, "the output's format, where its name does not say it")
        ->check(CLI::IsMember({"fvcorr", "sac", "su2", "cache", "vtu"}));
}

void add_recover(CLI::App& verb, mesh_command& o) {
    verb.add_flag("--recover", o.recover,
                  "give tetrahedra without coordinates their corners back, from the areas of their faces");
}

/// An option of other kinds would do nothing.
void expect_of_kind(const CLI::App& verb, const std::string& kind) {
    const std::string grids = "o_grid or c_grid";
    for (const auto& [option, kinds] : {std::pair<const char*, std::string>{"--thickness", "shell"},
                                        {"--outer", "shell, " + grids},
                                        {"--section", grids},
                                        {"--around", grids},
                                        {"--outward", grids},
                                        {"--angle", "wedge"},
                                        {"--height", "bump"}})
        if (verb.count(option) > 0 && kinds.find(kind) == std::string::npos)
            throw usage_error(std::string(option) + ": is not of a " + kind + ", expected " + kinds);
}

void add_recipe(CLI::App& verb, mesh_command& o) {
    verb.callback([&verb, &o] {
        o.verb = "generate";
        expect_of_kind(verb, o.kind);
    });
    verb.add_option(
            "kind", o.kind,
            "shell: tetrahedra between an ellipsoid and a sphere; wedge, bump: channels; box: [-5, 5]^d; "
            "tube: [0, 1]; o_grid, c_grid: rings round a NACA section of chord 1, open behind it in a c_grid")
        ->required()
        ->check(CLI::IsMember(words_of<mesh_kind>()));
    add_number(verb, "--size", o.recipe.size, {1, 200000000},
               "cells asked for, what comes is near it; a tube's length in cells")
        .capture_default_str()
        ->type_name("N");
    verb.add_option("--shape", o.shape,
                    "of the cells; else tetrahedron for a shell, quadrilateral for others")
        ->check(CLI::IsMember({"triangle", "quadrilateral", "tetrahedron", "prism", "hexahedron"}));
    add_number(verb, "--thickness", o.recipe.thickness, {.least = 0, .most = 1, .open = true},
               "shell: axes are 1, T and 1")
        .capture_default_str()
        ->type_name("T");
    add_number(verb, "--outer", o.recipe.outer, {.least = 1, .most = 1e6, .open = true},
               "shell, o_grid: radius of the far field; c_grid: its distance before and behind")
        .capture_default_str()
        ->type_name("R");
    verb.add_option("--section", o.recipe.section, "o_grid, c_grid: the four digits of a NACA section")
        ->capture_default_str()
        ->type_name("DIGITS");
    add_number(verb, "--around", o.recipe.around, {0, 1000000},
               "o_grid, c_grid: cells round the section, an even number; 0: by --size")
        .capture_default_str()
        ->type_name("N");
    add_number(verb, "--outward", o.recipe.outward, {0, 1000000},
               "o_grid, c_grid: cells out to the far field, and along a c_grid's wake; 0: 35 for 100 round")
        .capture_default_str()
        ->type_name("N");
    add_number(verb, "--angle", o.recipe.angle, {0, 40}, "wedge: degrees")
        .capture_default_str()
        ->type_name("A");
    add_number(verb, "--height", o.recipe.height, {0, 0.8}, "bump: of the channel's 1")
        .capture_default_str()
        ->type_name("H");
    add_number(verb, "--distortion", o.recipe.distortion, {0, 0.5},
               "random shift of inner points, in parts of an edge")
        .capture_default_str()
        ->type_name("D");
    verb.add_flag("--shuffled", o.recipe.shuffled, "cells in random order");
    add_number(verb, "--seed", o.recipe.seed, {}, "of what is random").capture_default_str();
    add_output(verb, o);
    verb.add_option("-o,--output", o.output, "FILE.wmesh, .fvcorr, .sac, .su2 or .vtu")
        ->required()
        ->type_name("FILE");
}

void add_renumber_options(CLI::App& verb, mesh_command& o) {
    add_input(verb, o);
    verb.add_option("--order", o.order, "hilbert needs coordinates, or --recover")
        ->check(CLI::IsMember(words_of<cell_order>()))
        ->capture_default_str();
    add_number(verb, "--seed", o.seed, {}, "of random").capture_default_str();
    verb.add_option("--permutation", o.order_file, "cell i was cell permutation[i], from 0: int32")
        ->type_name("FILE.npy");
    add_recover(verb, o);
    add_output(verb, o);
    verb.add_option("-o,--output", o.output, "FILE.wmesh, .fvcorr, .sac, .su2 or .vtu")
        ->required()
        ->type_name("FILE");
}

void add_partition_options(CLI::App& verb, mesh_command& o) {
    add_input(verb, o);
    add_number(verb, "-n,--parts", o.parts, {1, 1000000}, "how many").required()->type_name("N");
    verb.add_option("--method", o.method, "automatic takes METIS where Wale was built with it")
        ->check(CLI::IsMember(words_of<partition_method>()))
        ->capture_default_str();
    add_recover(verb, o);
    verb.add_option("-o,--output", o.output, "the part of each cell, from 0: int32")
        ->required()
        ->type_name("FILE.npy");
    verb.add_option("--picture", o.picture, "the mesh with its parts; needs coordinates, or --recover")
        ->type_name("FILE.vtu");
}

}  // namespace

void add_mesh(CLI::App& app, mesh_command& o) {
    CLI::App& group =
        *app.add_subcommand("mesh", "check, convert, make, renumber and cut meshes for `wale euler`");
    group.require_subcommand(1);
    CLI::App& check = add_verb(group, o, "check", "whether a flow can be computed on a mesh; exit 1 if not",
                               "wing.fvcorr --json");
    add_input(check, o);
    CLI::App& convert = add_verb(group, o, "convert", "write a mesh in another format, or as a picture",
                                 "fvcorr.domn.097K wing.vtu --recover");
    add_input(convert, o);
    convert.add_option("output,-o,--output", o.output, "FILE.wmesh, .fvcorr, .sac, .su2 or .vtu")->required();
    add_recover(convert, o);
    add_output(convert, o);
    add_recipe(
        add_verb(group, o, "generate", "a mesh made up from a recipe", "shell --size 97200 -o shell.fvcorr"),
        o);
    add_renumber_options(add_verb(group, o, "renumber", "bring neighbours together",
                                  "wing.wmesh --order hilbert -o near.wmesh"),
                         o);
    add_partition_options(add_verb(group, o, "partition", "parts of equal size with few faces between them",
                                   "wing.wmesh -n 4 -o parts.npy --picture parts.vtu"),
                          o);
    group.footer(
        "Formats: .fvcorr (Rodinia's text), .sac, .su2, .wmesh (Wale's own cache: exact, and the fastest to\n"
        "read), .vtu (a picture).\n"
        "Read only: Gmsh's .msh, formats 2.2 and 4.1, text and binary; physical groups are the patches;\n"
        "CGNS, structured zones joined one to one or one unstructured zone, where this build has it:\n"
        "conditions or their families are the patches.\n"
        "`wale mesh VERB --help` shows more.\n\n"
        "Examples:\n"
        "  wale mesh generate shell --size 97200 -o shell.wmesh\n"
        "  wale mesh generate o_grid --section 2412 --around 200 --outward 70 --outer 20 -o foil.su2\n"
        "  wale mesh check shell.wmesh\n"
        "  wale mesh convert fvcorr.domn.097K wing.vtu --recover\n"
        "  wale mesh renumber shell.wmesh -o near.wmesh\n"
        "  wale mesh partition shell.wmesh -n 4 -o parts.npy --picture parts.vtu\n");
}

}  // namespace wale::cli
