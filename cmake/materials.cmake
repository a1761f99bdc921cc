# The bill of materials of the Python package, as CycloneDX's JSON: every library that is compiled into its binaries or
# loaded by them, with the version found at configuration. auditwheel writes that of the shared libraries it puts into a wheel.
set(materials)
function(material name version licence)
  if(version)
    set(version "\"version\": \"${version}\", ")
  endif()
  list(APPEND materials
    "    { \"type\": \"library\", \"name\": \"${name}\", ${version}\"licenses\": [{ \"license\": { \"id\": \"${licence}\" } }] }")
  set(materials "${materials}" PARENT_SCOPE)
endfunction()

foreach(package CLI11 fmt nlohmann_json tomlplusplus)  # as in cli/CMakeLists.txt, whose variables end there
  find_package(${package} QUIET)
endforeach()
material(highway "${HWY_VERSION}" Apache-2.0)
material(zlib "${ZLIB_VERSION_STRING}" Zlib)
material(libpng "${PNG_VERSION_STRING}" libpng-2.0)
material(libjpeg "${JPEG_VERSION}" IJG)
material(libtiff "${TIFF_VERSION_STRING}" libtiff)
material(tomlplusplus "${tomlplusplus_VERSION}" MIT)
material(nanobind "${nanobind_VERSION}" BSD-3-Clause)
if(METIS_LIBRARY)
  file(STRINGS ${METIS_INCLUDE_DIR}/metis.h metis REGEX "#define METIS_VER_(MAJOR|MINOR|SUBMINOR)")
  string(REGEX MATCHALL "[0-9]+" metis "${metis}")
  list(JOIN metis "." metis)
  material(metis "${metis}" Apache-2.0)
endif()
if(TARGET wale_cli)
  material(cli11 "${CLI11_VERSION}" BSD-3-Clause)
  material(fmt "${fmt_VERSION}" MIT)
  material(nlohmann_json "${nlohmann_json_VERSION}" MIT)
endif()
list(JOIN materials ",\n" materials)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/wale.cdx.json "{
  \"bomFormat\": \"CycloneDX\", \"specVersion\": \"1.5\", \"version\": 1,
  \"metadata\": { \"component\": { \"type\": \"library\", \"name\": \"wale\", \"version\": \"${PROJECT_VERSION}\" } },
  \"components\": [
${materials}
  ]
}
")
if(SKBUILD_METADATA_DIR)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/wale.cdx.json DESTINATION ${SKBUILD_METADATA_DIR}/sboms COMPONENT python)
endif()
