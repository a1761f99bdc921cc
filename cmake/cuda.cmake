# The CUDA backend: one shared library beside libwale, opened at first use, so that the same binaries run on a
# machine without a driver. Nothing outside src/**/cuda changes when it is absent.

# The rows of the tuning tables that are compiled (src/tuning/table.hpp).
list(SORT WALE_CUDA_ARCHITECTURES COMPARE NATURAL)
list(GET WALE_CUDA_ARCHITECTURES 0 wale_oldest)
list(GET WALE_CUDA_ARCHITECTURES -1 wale_newest)
set(WALE_TUNING_DEFINITIONS WALE_OLDEST_SM=${wale_oldest} $<$<BOOL:${WALE_TUNING_ROWS}>:WALE_TUNING_ROWS>)

if(WALE_CUDA STREQUAL "AUTO" AND SKBUILD AND NOT EXISTS /dev/nvidia0)
  # pip says nothing while nvcc compiles for tens of minutes what this machine cannot run.
  message(STATUS "no NVIDIA device: without the CUDA backend, which WALE_CUDA=ON in the environment adds")
  set(wale_with_cuda OFF)
elseif(WALE_CUDA STREQUAL "AUTO")
  include(CheckLanguage)
  set(CMAKE_CUDA_ARCHITECTURES ${WALE_CUDA_ARCHITECTURES})
  check_language(CUDA)
  set(wale_with_cuda ${CMAKE_CUDA_COMPILER})
else()
  set(wale_with_cuda ${WALE_CUDA})
endif()

if(wale_with_cuda)
  message(STATUS "the CUDA backend for ${WALE_CUDA_ARCHITECTURES}: tens of minutes; WALE_CUDA=OFF leaves it out")
  # Machine code for each architecture, and the newest as PTX where the build is for several: a build for one
  # is for the devices at hand.
  list(TRANSFORM WALE_CUDA_ARCHITECTURES APPEND -real OUTPUT_VARIABLE CMAKE_CUDA_ARCHITECTURES)
  if(WALE_CUDA_PTX AND NOT wale_oldest STREQUAL wale_newest)
    list(APPEND CMAKE_CUDA_ARCHITECTURES ${wale_newest}-virtual)
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know nvcc's flag for C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  get_property(wale_cuda_sources GLOBAL PROPERTY WALE_CUDA_SOURCES)
  add_library(wale_cuda MODULE ${wale_cuda_sources})
  set_target_properties(wale_cuda PROPERTIES
    PREFIX lib CUDA_RUNTIME_LIBRARY Static CUDA_VISIBILITY_PRESET hidden INSTALL_RPATH "$ORIGIN")
  target_include_directories(wale_cuda PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(JOIN WALE_CUDA_ARCHITECTURES "," wale_built_for)  # a semicolon would end the definition
  target_compile_definitions(wale_cuda PRIVATE
    WALE_VERSION="${PROJECT_VERSION}" "WALE_CUDA_BUILT_FOR=\"${wale_built_for}\"" ${WALE_TUNING_DEFINITIONS})
  # -fmad=false: float results equal the host's, bit for bit (docs/reference/decisions.md).
  target_compile_options(wale_cuda PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false --compress-mode=size --extended-lambda --expt-relaxed-constexpr
      -Xcompiler=-Wall,-Wextra>)
  if(SKBUILD)  # the package wale_cuda: its neighbours are the packages wale and nvidia, where the wheel nvidia-cublas lies
    set_target_properties(wale_cuda PROPERTIES INSTALL_RPATH "$ORIGIN:$ORIGIN/../wale:$ORIGIN/../nvidia/cu13/lib")
    install(TARGETS wale_cuda LIBRARY DESTINATION wale_cuda COMPONENT cuda)
  endif()
  find_package(CUDAToolkit REQUIRED)
  target_link_libraries(wale_cuda PRIVATE wale CUDA::cublas)
endif()
