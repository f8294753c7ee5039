# libtorch's matrix products run in whatever libblas.so.3 the system has chosen. The reference one
# is some 40 times slower than OpenBLAS, and nothing else would tell.
find_library(DISENLINK_BLAS NAMES libblas.so.3)
if(DISENLINK_BLAS AND NOT DISENLINK_BLAS_IS_FAST)
  try_run(DISENLINK_BLAS_EXIT DISENLINK_BLAS_COMPILES
    ${PROJECT_BINARY_DIR}/check_blas ${PROJECT_SOURCE_DIR}/cmake/check_blas.cpp
    LINK_LIBRARIES ${CMAKE_DL_LIBS}
    RUN_OUTPUT_VARIABLE DISENLINK_BLAS_KIND
    ARGS ${DISENLINK_BLAS})
  if(NOT DISENLINK_BLAS_COMPILES OR NOT DISENLINK_BLAS_EXIT EQUAL 0)
    file(REAL_PATH ${DISENLINK_BLAS} blas_file)
    unset(DISENLINK_BLAS_EXIT CACHE)
    message(FATAL_ERROR
      "libtorch would use the slow reference BLAS (${blas_file}); matrix products would take about "
      "40 times longer.\nInstall a fast one: apt-get install libopenblas-openmp-dev\n"
      "If it is installed, select it: update-alternatives --config libblas.so.3-${CMAKE_LIBRARY_ARCHITECTURE}")
  endif()
  set(DISENLINK_BLAS_IS_FAST ON CACHE INTERNAL "The system's BLAS is an optimised one")
  message(STATUS "BLAS of libtorch: ${DISENLINK_BLAS_KIND}")
endif()
