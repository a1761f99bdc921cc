// tree_options - the command line of `wale tree solve` and `wale tree info`.
#include <CLI/CLI.hpp>

#include "numbers.hpp"
#include "tree.hpp"

namespace wale::cli {

void add_tree_solve(CLI::App& tree, tree_command& o, tree_command& i) {
    CLI::App& verb = *tree.add_subcommand("solve", "tridiagonal systems, or systems whose graph is a tree");
    verb.add_option("case", o.file,
                    "a Hines system as text: N, then lines `id u l rhs d p`; - is standard input");
    for (const auto& [name, file, text] :
         {std::tuple{"--lower", &o.lower, "elements below the diagonal, or of a tree A(node, parent)"},
          std::tuple{"--diagonal", &o.diagonal,
                     "NPY, FILE.npz:NAME, MatrixMarket, CSV: a system a row; one axis, or one\n"
                     "column, is one system"},
          std::tuple{"--upper", &o.upper, "elements above the diagonal, or of a tree A(parent, node)"},
          std::tuple{"--rhs", &o.rhs, "right-hand sides, one for each system"},
          std::tuple{"--tree", &o.form, "a case or SWC, whose parents hold for every system of the arrays"}})
        verb.add_option(name, *file, text)->type_name("FILE");
    verb.add_flag("--interleaved", o.interleaved, "a system a column of the arrays");
    verb.add_flag("--forest", o.forest, "several roots are meant");
    verb.add_option("--type", o.type, "else the widest of the files, of a case float64; trees are real")
        ->check(CLI::IsMember(number_types));
    verb.add_option("--pivoting", o.pivoting,
                    "of chains: none is for dominant ones, and faster; trees are not pivoted")
        ->check(CLI::IsMember({"none", "partial"}))
        ->capture_default_str();
    verb.add_flag("--periodic", o.periodic,
                  "the first element below and the last above the diagonal are corners");
    verb.add_flag("--transposed", o.transposed, "solve with the transpose");
    CLI::Option* const without = verb.add_flag("--no-verify", o.unverified, "leave out the backward error");
    verb.add_flag_callback(
            "--verify", [] {}, "what is done without this word, too")
        ->excludes(without);
    add_run(verb, o, "auto takes CUDA for many unknowns where a device is there, else the CPU",
            "a row of `wale list tree`, such as cpu/lanes");
    verb.add_option("-o,--output", o.output,
                    "the solution: of a case lines `id u l x eliminated-d`, of arrays .npy, .mtx, .csv or "
                    ".txt; without -o and\n"
                    "--json standard output, of arrays as MatrixMarket")
        ->type_name("FILE");
    verb.add_flag("--json", o.json,
                  "write what ran and what it is worth to standard output as JSON, errors too");
    verb.footer(
        "Exit code 1 where a pivot is 0, or the solution is not finite or not worth its digits.\n\n"
        "Examples:\n"
        "  wale tree solve case.txt -o solved.txt\n"
        "  wale tree solve --lower l.npy --diagonal d.npy --upper u.npy --rhs b.npy -o x.npy\n"
        "  wale tree solve --lower l.npy --diagonal d.npy --upper u.npy --rhs b.npy --periodic --pivoting "
        "none "
        "--json\n"
        "  wale tree solve --tree cell.swc --lower l.npy --diagonal d.npy --upper u.npy --rhs b.npy -o "
        "x.npy\n");
    CLI::App& info = *tree.add_subcommand("info", "the form of a tree: nodes, branch points, depth");
    info.add_option("file", i.file, "a case, or SWC by its name; - is standard input")->required();
    info.add_flag("--forest", i.forest, "several roots are meant");
    info.add_flag("--json", i.json, "write to standard output as JSON, errors too");
    info.footer("Example:\n  wale tree info cell.swc\n");
}

}  // namespace wale::cli
