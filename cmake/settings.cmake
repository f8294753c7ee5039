# Compiler settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(DISENLINK_CCACHE ccache)
if(DISENLINK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${DISENLINK_CCACHE})
endif()

add_library(disenlink_settings INTERFACE)
target_compile_options(disenlink_settings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
if(DISENLINK_WERROR)
  target_compile_options(disenlink_settings INTERFACE -Werror)
endif()
if(DISENLINK_SANITIZE)
  target_compile_options(disenlink_settings INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(disenlink_settings INTERFACE -fsanitize=address,undefined)
endif()
if(DISENLINK_FUZZ)
  # Coverage counters without libFuzzer's main().
  target_compile_options(disenlink_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
