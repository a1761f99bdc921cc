// lu_options - the command line of `wale lu`.
#include <CLI/CLI.hpp>
#include <tuple>
#include <wale/enumerators.hpp>

#include "lu.hpp"
#include "numbers.hpp"
#include "options.hpp"

namespace wale::cli {
namespace {

CLI::App& add_lu_verb(CLI::App& group, lu_command& o, const std::string& name, const char* summary,
                      const char* example) {
    CLI::App& verb = *group.add_subcommand(name, summary);
    verb.add_option("--type", o.type, "else that of the files, of text float64")
        ->check(CLI::IsMember(name == "generate" ? real_types : number_types));
    verb.callback([&o, name] { o.operation = name; });
    verb.footer(std::string("Example:\n  wale lu ") + name + " " + example + "\n");
    return verb;
}

/// What all operations that factor take.
void add_factoring(CLI::App& verb, lu_command& o) {
    verb.add_option("matrix", o.file,
                    "MatrixMarket, NPY, FILE.npz:NAME or Rodinia's text; - is standard input")
        ->required();
    verb.add_option("--pivoting", o.pivoting, "which elements become pivots")
        ->check(CLI::IsMember(wale::words_of<wale::pivoting>()))
        ->capture_default_str();
    add_number(verb, "--perturbation", o.perturbation, not_negative,
               "without pivoting: move pivots below E max|A| to that; 1e-8 is usual")
        .type_name("E");
    CLI::Option* const without = verb.add_flag(
        "--no-verify", o.unverified, "leave out the residual (2/3 n^3 operations) and the condition");
    verb.add_flag_callback(
            "--verify", [] {}, "what is done without this word, too")
        ->excludes(without);
    add_run(verb, o, "auto takes CUDA for large matrices where a device is there, else the CPU",
            "a row of `wale list lu`, such as reference/plain");
    verb.add_flag("--json", o.json,
                  "write what ran and what it is worth to standard output as JSON, errors too");
}

void add_matrix_output(CLI::App& verb, lu_command& o, const char* what, const char* otherwise = "") {
    verb.add_option("-o,--output", o.output,
                    std::string(what) +
                        ": .mtx, .npy, .csv, .txt or .dat; - is standard output, MatrixMarket" + otherwise)
        ->type_name("FILE");
}

void add_solve_options(CLI::App& verb, lu_command& o) {
    verb.add_option("--rhs", o.rhs, "right-hand sides, columns; else one whose solution is all ones")
        ->type_name("FILE");
    verb.add_flag("--transposed", o.transposed, "solve with the transpose");
    verb.add_option("--refined", o.refined, "float64 accuracy from factors in a lower precision")
        ->expected(0, 1)
        ->default_str("automatic")
        ->check(CLI::IsMember({"automatic", "float16", "tf32", "float32", "float64", "f16", "f32", "f64"}))
        ->type_name("[P]");
}

void add_generate_options(CLI::App& verb, lu_command& o) {
    add_number(verb, "rows", o.size, {0, 1000000}, "rows, and columns").required()->type_name("N");
    verb.add_option("--kind", o.kind,
                    "smooth: 10 exp(-0.001 |i - j|); product: L U of uniform numbers in [0, 1)")
        ->check(CLI::IsMember({"smooth", "product"}))
        ->capture_default_str();
    add_number(verb, "--seed", o.seed, {}, "of the product").capture_default_str();
    add_matrix_output(verb, o, "the matrix");
}

}  // namespace

void add_lu(CLI::App& app, lu_command& o) {
    CLI::App& group = *app.add_subcommand("lu", "factor, solve, invert dense matrices; determinants");
    group.require_subcommand(1);
    CLI::App& factor = add_lu_verb(group, o, "factor", "P A = L U, both factors in one matrix",
                                   "a.mtx -o factors.npy --pivots pivots.npy");
    add_factoring(factor, o);
    add_matrix_output(factor, o, "L below U, L's diagonal is 1");
    for (const auto& [name, file, text] :
         {std::tuple{"--pivots", &o.pivots, "row k was exchanged with row pivots[k], from 0: int32"},
          std::tuple{"--permutation", &o.permutation,
                     "row i of P A is row permutation[i] of A, from 0: int32"}})
        factor.add_option(name, *file, text)->type_name("FILE.npy");
    CLI::App& solve = add_lu_verb(group, o, "solve", "A X = B", "a.mtx --rhs b.npy -o x.npy");
    add_factoring(solve, o);
    add_solve_options(solve, o);
    add_matrix_output(solve, o, "the solution", ", where it goes without -o and --json");
    add_factoring(add_lu_verb(group, o, "det", "the determinant, whatever its size", "a.mtx --json"), o);
    CLI::App& inverse = add_lu_verb(group, o, "inverse", "the inverse", "a.npy -o inverse.npy");
    add_factoring(inverse, o);
    add_matrix_output(inverse, o, "the inverse", ", where it goes without -o and --json");
    add_generate_options(add_lu_verb(group, o, "generate", "a matrix of Rodinia's lud",
                                     "512 --kind product --seed 7 -o 512.dat"),
                         o);
    group.footer(
        "A line on standard error says what the result is worth: the residual ratio |P A - L U| / (n |A| "
        "eps),\n"
        "or of a solution the backward error in the same units, both good below 30; the growth of the "
        "elements;\n"
        "the reciprocal condition. Exit code 1 where the matrix is singular (a determinant of 0 is an "
        "answer),\n"
        "or where the factorisation diverged without pivoting.\n"
        "`wale lu VERB --help` shows more.\n\n"
        "Examples:\n"
        "  wale lu factor a.mtx -o factors.npy --pivots pivots.npy\n"
        "  wale lu solve a.npy --rhs b.npy -o x.npy --refined\n"
        "  wale lu det a.mtx\n"
        "  wale lu inverse a.npy -o inverse.npy\n"
        "  wale lu generate 512 -o 512.dat\n");
}

}  // namespace wale::cli
