# SPDX-License-Identifier: Apache-2.0
# One flag set for everything: C++20, warnings, ccache and mold where they exist, binaries in <build>/bin.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
if(FATHOM_EDIT_LOOP)
  set(CMAKE_CXX_FLAGS_RELEASE "-O0")
elseif(FATHOM_SANITIZE)  # tests take a fraction of what they take at -O0, which the build costs no second more
  set(CMAKE_CXX_FLAGS_RELEASE "-O1")
endif()
if(FATHOM_SANITIZE)  # a report names the line
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " -gline-tables-only")
endif()
if(NOT FATHOM_ASSERTIONS)
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " -DNDEBUG")
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wno-missing-braces)  # warns about {1, 2} for a struct that holds one array
endif()
# Floating-point contraction differs between translation units and compilers; the numerics promise equality.
add_compile_options(-ffp-contract=off)
if(FATHOM_WERROR)
  add_compile_options(-Werror)
endif()
if(FATHOM_SANITIZE)
  add_compile_options(-fsanitize=${FATHOM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FATHOM_SANITIZE})
endif()
# Code that runs once per click or per file: half of a release build's time would go into copying small functions into it
# (fathom_folder's COLD). Under ThreadSanitizer, whose calls take longer than any copy saves, that is all code.
set(FATHOM_COLD_OPTIONS "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT FATHOM_EDIT_LOOP)
  set(cold "SHELL:-mllvm -inline-threshold=25" "SHELL:-mllvm -inlinehint-threshold=25")
  if(NOT FATHOM_SANITIZE)
    set(FATHOM_COLD_OPTIONS ${cold})
  elseif(FATHOM_SANITIZE STREQUAL "thread")
    add_compile_options(${cold})
  endif()
endif()
# Sources that FATHOM_UNITY compiles together share what they include and instantiate: 96 take four tenths less than eight
# times 12, in up to 1.5 GB.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 96)
find_program(FATHOM_CCACHE ccache)
if(FATHOM_CCACHE)
  # Without the sloppiness ccache caches nothing that is built with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
  if(FATHOM_EDIT_LOOP)  # an edited file is not in the cache: ccache need not preprocess it to find that out
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_DEPEND=1)
  endif()
  list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${FATHOM_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
    # GCC 12 warns about its own std::string once the header comes out of a precompiled one (GCC bug 105651 and kin).
    add_compile_options(-Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
  else()
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
find_program(FATHOM_MOLD mold)
if(FATHOM_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
