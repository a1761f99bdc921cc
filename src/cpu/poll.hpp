// poll - where long loops notice that their call is to end.
#pragma once

namespace wale::cpu {

/// Loops call poll() at least every few milliseconds: between rows, tiles, tickets or steps. Throws
/// `interrupted` where the caller wants the end (see interruption_check), and ends a rank of a team that has
/// stopped. Reads a clock: some 20 ns.
void poll();

/// poll() once in `every` calls, for loops whose passes are short.
class rare_poll {
public:
    explicit rare_poll(unsigned every) noexcept : every_(every) {}
    void operator()() {
        if (++count_ < every_) return;
        count_ = 0;
        poll();
    }

private:
    unsigned every_, count_ = 0;
};

}  // namespace wale::cpu
