# libtorch's matrix products run in whatever libblas.so.3 the system has chosen. The reference one
# is some 40 times slower than OpenBLAS, and nothing else would tell.
find_library(DISENLINK_BLAS NAMES libblas.so.3)
if(NOT DISENLINK_BLAS)
  return()
endif()
# The file behind the links: once another one is selected, that is looked at too.
file(REAL_PATH ${DISENLINK_BLAS} blas_file)
if(blas_file STREQUAL DISENLINK_BLAS_CHECKED)
  return()
endif()

try_run(DISENLINK_BLAS_EXIT DISENLINK_BLAS_COMPILES
  ${PROJECT_BINARY_DIR}/check_blas ${CMAKE_CURRENT_LIST_DIR}/check_blas.cpp
  LINK_LIBRARIES ${CMAKE_DL_LIBS}
  RUN_OUTPUT_VARIABLE blas_kind
  ARGS ${blas_file})
# Lines that begin with a blank are not wrapped, so they can be copied.
if(DISENLINK_BLAS_COMPILES AND DISENLINK_BLAS_EXIT EQUAL 1)
  message(FATAL_ERROR
    " libtorch would use the slow reference BLAS:\n"
    "   ${blas_file}\n"
    " Matrix products would take about 40 times longer. Install a fast one:\n"
    "   apt-get install libopenblas-openmp-dev\n"
    " If it is installed, select it:\n"
    "   update-alternatives --config libblas.so.3-${CMAKE_LIBRARY_ARCHITECTURE}\n"
    " Then configure again.")
elseif(NOT DISENLINK_BLAS_COMPILES OR NOT DISENLINK_BLAS_EXIT EQUAL 0)
  message(WARNING "Cannot look into ${blas_file}. If it is the reference BLAS, training is slow.")
  return()
endif()
set(DISENLINK_BLAS_CHECKED ${blas_file} CACHE INTERNAL "The BLAS that was found to be a fast one")
message(STATUS "BLAS of libtorch: ${blas_kind}")
