# What `cmake --install` puts where, find_package(wale) and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS wale EXPORT wale-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
foreach(plugin wale_cuda wale_mpi wale_scalapack wale_cgns)  # beside libwale, where they are looked for
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

# Man pages and completion are made of the help of the program as it was built. A wheel has no place for them.
if(TARGET wale_cli AND NOT CMAKE_CROSSCOMPILING AND NOT SKBUILD)
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_Interpreter_FOUND)
    set(help ${PROJECT_BINARY_DIR}/help)
    set(make_help ${PROJECT_SOURCE_DIR}/tools/command_help.py)
    add_custom_command(OUTPUT ${help}/wale.bash DEPENDS wale_cli ${make_help}
      COMMAND ${Python3_EXECUTABLE} ${make_help} $<TARGET_FILE:wale_cli> ${help})
    add_custom_target(wale_help ALL DEPENDS ${help}/wale.bash)
    install(DIRECTORY ${help}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
    install(FILES ${help}/wale.bash RENAME wale COMPONENT tools
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${help}/_wale DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tools)
    install(FILES ${help}/wale.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tools)
  endif()
endif()
