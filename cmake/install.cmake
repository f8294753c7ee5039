# cmake --install puts the library, its headers, the program and a CMake package in place, so that
# another project needs no more than find_package(disenlink). The public headers use the standard
# library alone, and the package asks for nothing else.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(DISENLINK_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/disenlink)

# The installed program finds the library beside it, wherever the prefix is.
file(RELATIVE_PATH library_from_program
  ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(disenlink-cli PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_program}")

install(TARGETS disenlink EXPORT disenlink_targets)
install(TARGETS disenlink-cli)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/disenlink TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(EXPORT disenlink_targets
  NAMESPACE disenlink:: FILE disenlink-config.cmake DESTINATION ${DISENLINK_PACKAGE_DIR})

write_basic_package_version_file(${PROJECT_BINARY_DIR}/disenlink-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/disenlink-config-version.cmake
  DESTINATION ${DISENLINK_PACKAGE_DIR})
