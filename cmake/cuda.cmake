# The CUDA backend: one shared library beside libwale, opened at first use, so that the same binaries run on a
# machine without a driver. Nothing outside src/**/cuda changes when it is absent.
if(WALE_CUDA STREQUAL "AUTO")
  include(CheckLanguage)
  set(CMAKE_CUDA_ARCHITECTURES ${WALE_CUDA_ARCHITECTURES})
  check_language(CUDA)
  set(wale_with_cuda ${CMAKE_CUDA_COMPILER})
else()
  set(wale_with_cuda ${WALE_CUDA})
endif()

if(wale_with_cuda)
  set(CMAKE_CUDA_ARCHITECTURES ${WALE_CUDA_ARCHITECTURES})
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know nvcc's flag for C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  get_property(wale_cuda_sources GLOBAL PROPERTY WALE_CUDA_SOURCES)
  add_library(wale_cuda MODULE
    ${PROJECT_SOURCE_DIR}/src/cuda/entry.cu ${PROJECT_SOURCE_DIR}/src/cuda/scratch_pool.cu
    ${PROJECT_SOURCE_DIR}/src/cuda/blas.cu ${wale_cuda_sources})
  set_target_properties(wale_cuda PROPERTIES
    PREFIX lib CUDA_RUNTIME_LIBRARY Static CUDA_VISIBILITY_PRESET hidden INSTALL_RPATH "$ORIGIN")
  target_include_directories(wale_cuda PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(wale_cuda PRIVATE
    WALE_VERSION="${PROJECT_VERSION}" "WALE_CUDA_BUILT_FOR=\"${WALE_CUDA_ARCHITECTURES}\"")
  # -fmad=false: float results equal the host's, bit for bit (docs/decisions.md).
  target_compile_options(wale_cuda PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -lineinfo --extended-lambda --expt-relaxed-constexpr
      -Xcompiler=-Wall,-Wextra>)
  find_package(CUDAToolkit REQUIRED)
  target_link_libraries(wale_cuda PRIVATE wale CUDA::cublas)
endif()
