// tiff_handle - the callbacks; none of them throws, since C code calls them.
#include "io/tiff_handle.hpp"

#include <algorithm>
#include <cerrno>
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
        s.no_memory = true;
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

/// libtiff takes no allocator, so that errno says whether malloc() failed; open_tiff() clears errno.
void note_memory(tiff_state& state) {
    state.no_memory = state.no_memory || errno == ENOMEM;
    if (state.no_memory && state.guarded) std::longjmp(state.leave, 1);
}

/// Keeps the first message: the later ones are its consequences.
int on_error(TIFF*, void* user, const char*, const char* format, va_list arguments) {
    auto& state = *static_cast<tiff_state*>(user);
    if (state.message[0] == '\0')
        std::vsnprintf(state.message.data(), state.message.size(), format, arguments);
    note_memory(state);
    return 1;
}
/// libtiff only warns of a tag for which there is no memory, and leaves the tag out.
int on_warning(TIFF*, void* user, const char*, const char*, va_list) {
    note_memory(*static_cast<tiff_state*>(user));
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
    errno = 0;
    TIFF* tiff = nullptr;
    const bool whole = guarded(state, [&] {
        tiff = TIFFClientOpenExt("image", mode, &state, on_read, on_write, on_seek, on_close, on_size,
                                 nullptr, nullptr, options.get());
    });
    return {whole ? tiff : nullptr, TIFFClose};
}

}  // namespace wale::io
