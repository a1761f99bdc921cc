// trouble_test - CUDA rows in trouble: a hog on the device, in this process and in another one; one tile more
// than blocks, and 64 times as many; work that is withheld, so that a wait between blocks cannot end.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "cuda/hog.hpp"
#include "cuda/questions.hpp"
#include "tuning/override.hpp"

namespace wale::agreement {
namespace {

/// Seconds in which a wait that cannot end must be over; on an H200 the longest of those here takes 1.4.
constexpr double bound = 30;

class Trouble : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

struct hook {
    const char* row;
    std::string tuning;  // up to the number
    question (*make)(const execution&, index_t, index_t);
    index_t height;  // rows that are at most one strip or tile
};

question factors_of(const execution& where, index_t n, index_t) {
    return factors(where, n);
}
question unpivoted_factors_of(const execution& where, index_t n, index_t) {
    return unpivoted_factors(where, n);
}
question flow_of(const execution& where, index_t n, index_t) {
    return flow(where, n);
}
question one_chain(const execution& where, index_t n, index_t) {
    return chains(where, n, 1);
}

/// B blocks that may be resident, and work for B + 1 of them to 64 B: heights from two strips to 64 B strips
/// of the most warps that a block has.
TEST_F(Trouble, WorkBeyondTheResidentBlocks) {
    const hook hooks[] = {{"cuda/strips", "wavefront/fill/max_blocks=", table, 32},
                          {"cuda/strips_bits", "wavefront/fill/max_blocks=", lcs_table, 32},
                          {"cuda/hyperlane", "wavefront/fill/max_blocks=", table, 32},
                          {"cuda/hyperlane_flags", "wavefront/fill/max_blocks=", table, 32},
                          {"cuda/strips", "wavefront/length/max_blocks=", lcs, 1024},
                          {"cuda/strips", "wavefront/length/max_blocks=", edit, 1024},
                          {"cuda/strips", "wavefront/align/max_blocks=", score, 64},
                          {"cuda/tiles", "reconstruction/tiles/max_blocks=", holes, 32},
                          {"cuda/basins", "reconstruction/basins/max_blocks=", holes, 32},
                          {"cuda/tile_dag", "lu/factor/tile_dag_blocks=", unpivoted_factors_of, 64},
                          {"cuda/resident", "lu/factor/resident_blocks=", factors_of, 32}};
    for (const hook& h : hooks) {
        const bool square = h.make == factors_of || h.make == unpivoted_factors_of;
        int asked = 0;
        for (const index_t strips : {2, 3, 5, 9, 17, 65, 130, 520}) {
            if (square && strips > 17) continue;
            const question ask = h.make(on_cuda{}, strips * h.height - 1, 70);
            const std::optional<bytes> expected = answer(ask, h.row);
            if (!expected) continue;
            for (const int blocks : {1, 2, 8}) {
                const tuning::scoped_override few(h.tuning + std::to_string(blocks));
                EXPECT_TRUE(ask(h.row) == *expected) << h.row << " " << h.tuning << blocks << ", " << strips;
                ++asked;
            }
        }
        EXPECT_GT(asked, 0) << h.row << " " << h.tuning;
    }
}

/// Strip, tile or part 0 is never done: the rows that wait for it end in device_error, and the next call
/// succeeds.
TEST_F(Trouble, WithheldWorkEndsInAnErrorWithinTheBound) {
    const hook hooks[] = {{"cuda/strips", "wavefront/fill/withhold=", table, 900},
                          {"cuda/strips", "wavefront/length/withhold=", lcs, 20000},
                          {"cuda/strips", "wavefront/length/withhold=", edit, 20000},
                          {"cuda/strips", "wavefront/align/withhold=", score, 2000},
                          {"cuda/tile_dag", "lu/factor/tile_dag/withhold=", unpivoted_factors_of, 300},
                          {"cuda/resident", "lu/factor/resident/withhold=", factors_of, 300},
                          {"cuda/spike", "tree/chains/spike/withhold=", one_chain, 100000},
                          {"cuda/resident", "euler/resident/withhold=", flow_of, 333}};
    for (const hook& h : hooks) {
        const question ask = h.make(on_cuda{}, h.height, h.height);
        const std::optional<bytes> expected = answer(ask, h.row);
        ASSERT_TRUE(expected) << h.row << " refuses " << h.height;
        {
            const tuning::scoped_override lost(h.tuning + "1");
            const auto begin = std::chrono::steady_clock::now();
            EXPECT_THROW((void)ask(h.row), device_error) << h.row << " " << h.tuning;
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
            EXPECT_LT(taken.count(), bound) << h.row << " " << h.tuning;
            std::printf("%s %s1: %.2f s\n", h.row, h.tuning.c_str(), taken.count());
        }
        EXPECT_TRUE(ask(h.row) == *expected) << h.row << " " << h.tuning << " and the next call";
    }
}

/// Answers of all rows before the hog comes.
class all_rows {
public:
    all_rows() {
        for (const operation& o : operations()) {
            const question ask = o.make(on_cuda{}, 600);
            for (const std::string& row : rows_of(o))
                if (auto expected = answer(ask, row))
                    asked_.push_back({o.name + (" " + row), ask, row, *expected});
        }
    }
    void ask_again(int times) const {
        for (int run = 0; run < times; ++run)
            for (const one& a : asked_) EXPECT_TRUE(a.ask(a.row) == a.expected) << a.name << " run " << run;
    }
    [[nodiscard]] std::size_t size() const { return asked_.size(); }

private:
    struct one {
        std::string name;
        question ask;
        std::string row;
        bytes expected;
    };
    std::vector<one> asked_;
};

/// Another process that keeps all multiprocessors busy: the device is shared by turns.
class hog_process {
public:
    hog_process() {
        const std::filesystem::path program =
            std::filesystem::read_symlink("/proc/self/exe").parent_path() / "device_hog";
        std::string name = program.string(), seconds = "60";
        std::array<char*, 3> words{name.data(), seconds.data(), nullptr};
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) return;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addclose(&actions, ends[0]);
        if (posix_spawn(&process_, name.c_str(), &actions, nullptr, words.data(), environ) != 0)
            process_ = -1;
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        std::array<char, 5> said{};
        busy_ = process_ > 0 && read(ends[0], said.data(), 4) == 4;
        close(ends[0]);
    }
    ~hog_process() {
        if (process_ <= 0) return;
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    hog_process(const hog_process&) = delete;
    hog_process& operator=(const hog_process&) = delete;
    [[nodiscard]] bool busy() const { return busy_; }
    [[nodiscard]] bool still_there() const { return waitpid(process_, nullptr, WNOHANG) == 0; }

private:
    pid_t process_ = -1;
    bool busy_ = false;
};

TEST_F(Trouble, AHogProcessBeside) {
    const all_rows rows;
    const hog_process hog;
    ASSERT_TRUE(hog.busy());
    rows.ask_again(runs(5));
    EXPECT_TRUE(hog.still_there()) << "the hog ended before the calls did";
    EXPECT_GT(rows.size(), 30u);
}

/// A hog in this process takes three quarters of the shared memory and half of the threads of every
/// multiprocessor, two thirds of the time: fewer blocks are resident than the calls counted on.
TEST_F(Trouble, AHogOnTheSameMultiprocessors) {
    const all_rows rows;
    std::atomic<bool> stop = false;
    std::atomic<int> kernels = 0;
    std::thread hog([&] {
        cudaStream_t stream = nullptr;
        if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
        while (!stop) {
            if (queue_hog(1, 1024, 160 << 10, 2, stream) != cudaSuccess) break;
            if (cudaStreamSynchronize(stream) != cudaSuccess) break;
            ++kernels;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        (void)cudaStreamDestroy(stream);
    });
    rows.ask_again(runs(10));
    stop = true;
    hog.join();
    EXPECT_GT(kernels, 10);
}

}  // namespace
}  // namespace wale::agreement
