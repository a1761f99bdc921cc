# What reads files and command lines is compiled with a check of every stack frame and of every bounded copy; every binary's
# table of functions is read-only once the binary is loaded. Sanitizers check more, and refuse these options.
set(WALE_HARDENING)
if(NOT CMAKE_CXX_FLAGS MATCHES "sanitize=")
  add_link_options(LINKER:-z,relro,-z,now)
  set(WALE_HARDENING -fstack-protector-strong
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
endif()
