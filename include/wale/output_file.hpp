// output_file - a file that appears whole or not at all.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wale {

/// Written beside its place, without a name where the file system has such files and else under a temporary
/// one, then synced and renamed by commit(). Without commit() nothing is left behind and a file that was
/// there before stays. `-` is standard output; devices and pipes are written straight. Every failure throws
/// cannot_write.
class output_file {
public:
    /// Refuses to replace one of `inputs`, also by another name of it.
    explicit output_file(std::string path, const std::vector<std::string>& inputs = {});
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file();

    void write(std::string_view bytes);
    void commit();

private:
    void open_beside();
    template <class Make>
    void name_beside(const Make& make);  // make(name): whether it is made
    void flush();
    void close_straight();
    void abandon() noexcept;
    void delist() noexcept;
    [[noreturn]] void fail(int code, bool at_creation);

    std::string path_;       // as given, for messages
    std::string target_;     // symbolic links followed; empty: written straight
    std::string temporary_;  // empty: has none
    std::string buffer_;
    int descriptor_ = -1;
    int slot_ = -1;
};

/// An output's path, and the argument that gives it.
struct named_output {
    std::string argument, path;
};

/// Throws bad_argument "argument and argument: both are 'path', expected two files" where two outputs would
/// be written to one place: standard output, a pipe, or one name in one folder, however the paths are spelled
/// and symbolic links followed. Empty paths and character devices such as /dev/null are left out; two hard
/// links of one file are two places, since a commit replaces a name.
void expect_distinct(std::span<const named_output> outputs);

/// Removes the temporary files of all output_files that are open. Async-signal-safe: a program calls it from
/// its handlers of signals, just before it leaves.
void remove_unfinished_outputs() noexcept;

}  // namespace wale
