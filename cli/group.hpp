// group - the ranks that share a verb's work: mpirun's processes. Items go to the ranks in turn, chunk by
// chunk, and the first rank writes what all have made, in the order of the items.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <wale/execution.hpp>
#include <wale/output_file.hpp>
#include <wale/rank_messages.hpp>
#include <wale/report.hpp>

namespace wale::cli {

/// Processes that mpirun started with this one; 1: none beside it.
[[nodiscard]] int launched_processes();
/// Their group, joined at the first call; empty where this process is alone. Throws backend_unavailable.
[[nodiscard]] const ranks& group();
/// The words of the command, which all ranks must have alike: said by main before anything else.
void note_command(int count, char** words);
/// Throws usage_error unless all ranks have the same `value` of `what`: what they share would be wrong.
/// Collective.
void expect_same(const std::string& what, const std::string& value);
/// This process ends by an error: the others end too.
void leave_group() noexcept;
/// "rank 2: " of several ranks, else nothing.
[[nodiscard]] std::string rank_prefix();
/// Throws usage_error where mpirun started several processes for a verb that does not share its work.
void expect_alone(const std::string& verb);

/// `threads`, or where that is 0 this rank's share of the processors.
[[nodiscard]] int threads_of_rank(int threads);
/// The reports of all ranks as that of one run: sums of work, the longest time.
[[nodiscard]] report merged(report own);
/// The sum over all ranks.
[[nodiscard]] index_t summed(index_t own);

/// An output_file that the first rank has. What ranks write between two turns appears in the order of ranks.
class ordered_output {
public:
    explicit ordered_output(const std::string& path, const std::vector<std::string>& inputs = {});
    /// Of the first rank only, before the first turn or after the last one.
    void frame(std::string_view bytes);
    void write(std::string_view bytes);
    void turn();
    void commit();

private:
    std::optional<output_file> file_;
    std::string pending_;  // of several ranks
};

/// Calls work(begin, end) for this rank's chunks of 0..count and out.turn() after each round. A chunk ends
/// where its cost(item) exceeds `most` or a share of all that keeps every rank busy.
void in_turns(index_t count, double most, const std::function<double(index_t)>& cost, ordered_output& out,
              const std::function<void(index_t, index_t)>& work);

}  // namespace wale::cli
