// tiff_handle - the callbacks; none of them throws, since C code calls them.
#include "io/tiff_handle.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>

namespace wale::io {
namespace {

tiff_state& state_of(thandle_t handle) {
    return *static_cast<tiff_state*>(handle);
}

tmsize_t on_read(thandle_t handle, void* to, tmsize_t count) {
    tiff_state& s = state_of(handle);
    const index_t got = std::clamp<index_t>(s.size() - s.at, 0, count);
    s.cut = s.cut || got < count;
    if (s.out != nullptr)  // a directory that was written
        std::memcpy(to, s.out->data() + s.at, static_cast<std::size_t>(got));
    else if (!s.bytes->read(s.at, to, got))
        return 0;
    s.at += got;
    return got;
}

tmsize_t on_write(thandle_t handle, void* from, tmsize_t count) {
    tiff_state& s = state_of(handle);
    if (s.out == nullptr) return 0;
    try {  // nothing may be thrown through C code
        if (s.at + count > s.size()) s.out->resize(static_cast<std::size_t>(s.at + count));
    } catch (const std::exception&) {
        return 0;
    }
    std::memcpy(s.out->data() + s.at, from, static_cast<std::size_t>(count));
    s.at += count;
    return count;
}

toff_t on_seek(thandle_t handle, toff_t to, int from) {
    tiff_state& s = state_of(handle);
    const index_t base = from == SEEK_SET ? 0 : from == SEEK_CUR ? s.at : s.size();
    index_t at = 0;
    if (__builtin_add_overflow(base, static_cast<index_t>(to), &at) || at < 0) return static_cast<toff_t>(-1);
    s.at = at;
    return static_cast<toff_t>(at);
}

int on_close(thandle_t) {
    return 0;
}
toff_t on_size(thandle_t handle) {
    return static_cast<toff_t>(state_of(handle).size());
}

/// Keeps the first message: what follows from it says less.
int on_error(TIFF*, void* user, const char*, const char* format, va_list arguments) {
    auto& message = static_cast<tiff_state*>(user)->message;
    if (message[0] == '\0') std::vsnprintf(message.data(), message.size(), format, arguments);
    return 1;
}
int on_warning(TIFF*, void*, const char*, const char*, va_list) {
    return 1;
}

}  // namespace

tiff_handle open_tiff(tiff_state& state, const char* mode, index_t memory_limit) {
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                   TIFFOpenOptionsFree);
    if (options == nullptr) throw std::bad_alloc();
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, &state);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, &state);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), memory_limit);
    return {TIFFClientOpenExt("picture", mode, &state, on_read, on_write, on_seek, on_close, on_size, nullptr,
                              nullptr, options.get()),
            TIFFClose};
}

}  // namespace wale::io
