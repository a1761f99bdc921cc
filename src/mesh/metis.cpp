// metis - multilevel k-way partition (Karypis and Kumar 1998), in a process of its own: METIS takes SIGTERM
// and SIGABRT of its process as its own exceptions, prints to standard error where memory ends, draws from
// the process's rand(), and may crash where an allocation fails. None of this reaches the caller's process.
#include <fcntl.h>
#include <metis.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <string>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "mesh/graph.hpp"

namespace wale::meshes {
namespace {

constexpr int unfinished = std::numeric_limits<int>::max();  // no code of METIS

// Another thread may hold the lock of a sanitizer's allocator while this process forks; the child would wait
// for that lock for ever. The C library's own allocator is ready in a child.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool own_process = false;
#else
constexpr bool own_process = true;
#endif

/// What the child writes and the caller reads: its outcome, then the part of each cell.
class shared_answer {
public:
    explicit shared_answer(std::size_t cells) : bytes_(sizeof(idx_t) * (cells + 1)) {
        void* const p = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            throw out_of_memory("METIS: its answer", static_cast<std::int64_t>(bytes_),
                                available_host_memory());
        numbers_ = static_cast<idx_t*>(p);
        numbers_[0] = unfinished;
    }
    shared_answer(const shared_answer&) = delete;
    shared_answer& operator=(const shared_answer&) = delete;
    ~shared_answer() { munmap(numbers_, bytes_); }
    [[nodiscard]] idx_t& outcome() const { return numbers_[0]; }
    [[nodiscard]] idx_t* parts() const { return numbers_ + 1; }

private:
    std::size_t bytes_;
    idx_t* numbers_ = nullptr;
};

struct metis_job {
    std::vector<idx_t> first, neighbour;
    idx_t cells, parts;
    idx_t options[METIS_NOPTIONS];
};

void partition(metis_job& job, const shared_answer& answer) {
    idx_t weights = 1, cut = 0;
    answer.outcome() =
        METIS_PartGraphKway(&job.cells, &weights, job.first.data(), job.neighbour.data(), nullptr, nullptr,
                            nullptr, &job.parts, nullptr, nullptr, job.options, &cut, answer.parts());
}

/// In the child: no handler of the caller, nothing on the caller's standard error, no life beyond the
/// caller's.
[[noreturn]] void compute(metis_job& job, const shared_answer& answer, pid_t caller, const sigset_t& mask) {
    for (int number = 1; number < NSIG; ++number) (void)std::signal(number, SIG_DFL);
    (void)pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != caller) _exit(0);
    if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
    partition(job, answer);
    _exit(0);
}

/// Runs the job in a child and waits for it; the signal that ended the child, or 0.
int run(metis_job& job, const shared_answer& answer, double bytes) {
    if (!own_process) return partition(job, answer), 0;
    sigset_t all, before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);  // no handler of the caller runs in the child
    const pid_t caller = getpid(), child = fork();
    if (child == 0) compute(job, answer, caller, before);
    (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (child < 0)
        throw out_of_memory(std::string("METIS: no process for it (") + std::strerror(errno) + ")",
                            static_cast<std::int64_t>(bytes), available_host_memory());
    int status = 0;
    pid_t done = 0;
    do done = waitpid(child, &status, 0);
    while (done < 0 && errno == EINTR);
    return done == child && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

bool has_metis() noexcept {
    return true;
}

std::vector<std::int32_t> metis_partition(const cell_graph& graph, int parts) {
    const std::size_t neighbours = graph.neighbours().size();
    if (neighbours > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
        throw bad_argument("mesh: has more neighbours than METIS's numbers reach; expected bisection");
    // By the sizes of METIS's arrays: graphs with weights, each half as large as the last; gains of moves.
    const double bytes = 40.0 * static_cast<double>(neighbours) + 120.0 * static_cast<double>(graph.cells());
    demand_host_memory("METIS", bytes);
    metis_job job{.first = {graph.offsets().begin(), graph.offsets().end()},
                  .neighbour = {graph.neighbours().begin(), graph.neighbours().end()},
                  .cells = static_cast<idx_t>(graph.cells()),
                  .parts = parts,
                  .options = {}};
    METIS_SetDefaultOptions(job.options);
    job.options[METIS_OPTION_SEED] = 1;
    job.options[METIS_OPTION_UFACTOR] = 20;  // parts up to 2% above the mean
    const shared_answer answer(static_cast<std::size_t>(graph.cells()));
    const int ended_by = run(job, answer, bytes);
    const idx_t outcome = answer.outcome();
    if (outcome == METIS_OK) return {answer.parts(), answer.parts() + graph.cells()};
    if (ended_by == SIGINT || ended_by == SIGTERM || ended_by == SIGHUP || ended_by == SIGQUIT)
        throw error("METIS was interrupted by signal " + std::to_string(ended_by));
    if (outcome == METIS_ERROR_INPUT) throw error("METIS refused its input");
    // The graph is sound, so that memory is all that METIS can lack. Its inner calls report that as
    // METIS_ERROR; some do not look and crash.
    throw out_of_memory("METIS", static_cast<std::int64_t>(bytes), available_host_memory());
}

}  // namespace wale::meshes
