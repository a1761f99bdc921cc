# What `cmake --install` puts where, find_package(wale) and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS wale EXPORT wale-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
foreach(plugin wale_cuda wale_mpi)  # beside libwale, where they are looked for
  if(TARGET ${plugin})
    install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  endif()
endforeach()
if(TARGET wale_cli)
  install(TARGETS wale_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()
install(DIRECTORY include/wale DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT wale-targets NAMESPACE wale:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wale
  COMPONENT development)

configure_package_config_file(cmake/wale-config.cmake.in ${PROJECT_BINARY_DIR}/wale-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wale)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wale-config-version.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/wale.pc.in ${PROJECT_BINARY_DIR}/wale.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wale-config.cmake ${PROJECT_BINARY_DIR}/wale-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wale COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/wale.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)
