// wrong_answers - for LD_PRELOAD under the command line: calls of the library whose answers are a little
// wrong. WALE_WRONG names the call; only the first answer of a process is changed, so that a second opinion
// is sound.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <wale/search.hpp>
#include <wale/wale.hpp>

namespace {

bool first(const char* call) {
    static bool done = false;
    const char* const asked = std::getenv("WALE_WRONG");
    if (done || asked == nullptr || std::strcmp(asked, call) != 0) return false;
    return done = true;
}

/// The library's function of the name that the one at this address has here.
void* hidden(void* address) {
    Dl_info about{};
    if (dladdr(address, &about) == 0 || about.dli_sname == nullptr) throw std::logic_error("no name");
    void* const found = dlsym(RTLD_NEXT, about.dli_sname);
    if (found == nullptr) throw std::logic_error(about.dli_sname);
    return found;
}
template <class F>
F* real(F* own) {
    return reinterpret_cast<F*>(hidden(reinterpret_cast<void*>(own)));
}

}  // namespace

namespace wale {

using lengths = lcs_length_result(const execution&, sequence_view, sequence_view, const length_options&);
lcs_length_result lcs_length(const execution& where, sequence_view a, sequence_view b,
                             const length_options& o) {
    auto answer = real(static_cast<lengths*>(&lcs_length))(where, a, b, o);
    if (first("lcs")) ++answer.length;
    return answer;
}

using batches = batch_result(const execution&, const sequence_batch&, const sequence_batch&,
                             std::span<std::int32_t>, const edit_options&);
batch_result edit_distance(const execution& where, const sequence_batch& a, const sequence_batch& b,
                           std::span<std::int32_t> answers, const edit_options& o) {
    const auto run = real(static_cast<batches*>(&edit_distance))(where, a, b, answers, o);
    if (first("edit")) --answers.back();
    return run;
}

lcs_string_result lcs_string(const execution& where, sequence_view a, sequence_view b,
                             const length_options& o) {
    auto answer = real(&lcs_string)(where, a, b, o);
    if (first("shorter")) {
        answer.in_a.pop_back();
        answer.in_b.pop_back();
    }
    if (first("string")) std::swap(answer.in_b.front(), answer.in_b.back());
    return answer;
}

using alignments = alignment_result(const execution&, sequence_view, sequence_view, const alignment_options&);
alignment_result align(const execution& where, sequence_view a, sequence_view b, const alignment_options& o) {
    auto answer = real(static_cast<alignments*>(&align))(where, a, b, o);
    if (first("path")) ++answer.path.front().length;
    // A path that has its score, but is not the best: every column a gap.
    if (first("worse")) {
        answer.score = -2 * (o.open - o.extend) - o.extend * (a.size() + b.size());
        answer.path = {{'I', a.size()}, {'D', b.size()}};
    }
    return answer;
}

using columns = pair_alignments(const execution&, const sequence_batch&, const sequence_batch&,
                                const alignment_options&);
pair_alignments align_pairs(const execution& where, const sequence_batch& a, const sequence_batch& b,
                            const alignment_options& o) {
    auto answer = real(static_cast<columns*>(&align_pairs))(where, a, b, o);
    if (first("path")) answer.runs.front() += 16;
    if (first("worse")) {  // of the first pair, as above
        const index_t m = a.offsets[1] - a.offsets[0], n = b.offsets[1] - b.offsets[0];
        answer.score.front() = -2 * (o.open - o.extend) - o.extend * (m + n);
        answer.runs.erase(answer.runs.begin(), answer.runs.begin() + answer.first_run[1]);
        answer.runs.insert(answer.runs.begin(),
                           {static_cast<std::uint32_t>(16 * m + 1), static_cast<std::uint32_t>(16 * n + 2)});
        const index_t fewer = answer.first_run[1] - 2;
        for (std::size_t k = 1; k < answer.first_run.size(); ++k) answer.first_run[k] -= fewer;
    }
    return answer;
}

using searches = infix_result(const execution&, const sequence_batch&, sequence_view, const infix_options&);
infix_result infix_align(const execution& where, const sequence_batch& queries, sequence_view text,
                         const infix_options& o) {
    auto answer = real(static_cast<searches*>(&infix_align))(where, queries, text, o);
    if (first("infix")) --answer.matches.front().locations.front().end;
    return answer;
}

using databases = search_result(const execution&, const sequence_batch&, const std::string&,
                                const search_options&);
search_result search(const execution& where, const sequence_batch& queries, const std::string& file,
                     const search_options& o) {
    auto answer = real(static_cast<databases*>(&search))(where, queries, file, o);
    if (first("hit")) --answer.hits.front().front().score;
    if (first("cut")) {  // a path that has its score, but is not the best
        alignment_result& a = answer.hits.front().front().alignment;
        a.query_begin = a.query_end = a.target_begin = a.target_end = 0;
        a.path.clear();
        a.score = answer.hits.front().front().score = 0;
    }
    return answer;
}

using solves = lu_solve_result(const execution&, const const_matrices&, const std::int32_t*, const matrices&,
                               const lu_solve_options&);
lu_solve_result lu_solve(const execution& where, const const_matrices& factors, const std::int32_t* pivots,
                         const matrices& b, const lu_solve_options& o) {
    const auto answer = real(static_cast<solves*>(&lu_solve))(where, factors, pivots, b, o);
    if (first("solution")) *static_cast<double*>(b.data) += 1e-6;
    return answer;
}

using inverses = lu_solve_result(const execution&, const matrices&, const std::int32_t*,
                                 const lu_solve_options&);
lu_solve_result lu_inverse(const execution& where, const matrices& factors, const std::int32_t* pivots,
                           const lu_solve_options& o) {
    const auto answer = real(static_cast<inverses*>(&lu_inverse))(where, factors, pivots, o);
    if (first("inverse")) *static_cast<double*>(factors.data) += 1e-6;
    return answer;
}

using chains = tridiagonal_result(const execution&, const const_vectors&, const const_vectors&,
                                  const const_vectors&, const const_vectors&, const vectors&,
                                  const tridiagonal_options&);
tridiagonal_result tridiagonal_solve(const execution& where, const const_vectors& lower,
                                     const const_vectors& diagonal, const const_vectors& upper,
                                     const const_vectors& rhs, const vectors& x,
                                     const tridiagonal_options& o) {
    const auto answer =
        real(static_cast<chains*>(&tridiagonal_solve))(where, lower, diagonal, upper, rhs, x, o);
    if (first("chain")) *static_cast<double*>(x.data) += 1e-6;
    return answer;
}

using trees = hines_result(const execution&, const hines_plan&, const const_vectors&, const const_vectors&,
                           const const_vectors&, const const_vectors&, const vectors&, const hines_options&);
hines_result hines_solve(const execution& where, const hines_plan& plan, const const_vectors& diagonal,
                         const const_vectors& upper, const const_vectors& lower, const const_vectors& rhs,
                         const vectors& x, const hines_options& o) {
    const auto answer =
        real(static_cast<trees*>(&hines_solve))(where, plan, diagonal, upper, lower, rhs, x, o);
    if (first("tree")) *static_cast<double*>(x.data) += 1e-6;
    return answer;
}

reconstruction_result fill_holes(const execution& where, const const_image_view& image, const image_view& out,
                                 const reconstruction_options& o) {
    const auto answer = real(&fill_holes)(where, image, out, o);
    if (first("image")) ++*static_cast<std::uint8_t*>(out.data);
    return answer;
}

euler_result euler_case::run(const execution& where, index_t iterations, const std::string& variant,
                             const watcher& watch) {
    using method =
        euler_result (*)(euler_case*, const execution&, index_t, const std::string&, const watcher&);
    void* address[2] = {};  // of a method that is not virtual the first word says where it is
    const auto own = &euler_case::run;
    static_assert(sizeof own == sizeof address);
    std::memcpy(address, &own, sizeof own);
    const auto run = reinterpret_cast<method>(hidden(address[0]));
    euler_result answer = run(this, where, iterations, variant, watch);
    const bool gas = first("gas");
    if (gas || first("flow")) {
        std::vector<euler_state> changed = state();
        (gas ? changed[3][4] : changed[3][0]) *= gas ? -1 : 1 + 1e-6;
        set_state(changed, iteration(), time());
    }
    return answer;
}

}  // namespace wale
