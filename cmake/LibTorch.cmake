# SPDX-License-Identifier: Apache-2.0
# Imported targets for the torch wheel (the wheel's own TorchConfig.cmake insists on a CUDA toolkit).
# The wheel lies where packaging/deps.sh put it, or where FATHOM_LIBTORCH (cache variable or environment) says:
# the folder that holds include/ and lib/.
if(NOT FATHOM_LIBTORCH AND DEFINED ENV{FATHOM_LIBTORCH})
  set(FATHOM_LIBTORCH $ENV{FATHOM_LIBTORCH})
endif()
if(NOT FATHOM_LIBTORCH)
  set(FATHOM_LIBTORCH ${PROJECT_SOURCE_DIR}/build/deps/libtorch/torch)
endif()
if(NOT EXISTS ${FATHOM_LIBTORCH}/include/torch/types.h AND NOT EXISTS ${FATHOM_LIBTORCH}/include/torch/csrc/api/include/torch/types.h)
  message(FATAL_ERROR "LibTorch not found in ${FATHOM_LIBTORCH}: run packaging/deps.sh, or set FATHOM_LIBTORCH")
endif()
set(FATHOM_LIBTORCH ${FATHOM_LIBTORCH} CACHE PATH "Folder with LibTorch's include/ and lib/")
foreach(name c10 torch_cpu)
  add_library(${name} SHARED IMPORTED)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${FATHOM_LIBTORCH}/lib/lib${name}.so IMPORTED_NO_SONAME OFF)
  target_include_directories(${name} SYSTEM INTERFACE
    ${FATHOM_LIBTORCH}/include ${FATHOM_LIBTORCH}/include/torch/csrc/api/include)
endforeach()
target_link_libraries(torch_cpu INTERFACE c10)
# torch's OpenMP runtime, called by core/nn/parallel_for.cpp: the wheel has it under a name that says its version or none.
file(GLOB fathom_gomp ${FATHOM_LIBTORCH}/lib/libgomp*.so.1)
if(NOT fathom_gomp)
  set(fathom_gomp gomp)
endif()
target_link_libraries(torch_cpu INTERFACE ${fathom_gomp})
# libtorch_cpu names libraries that only its own rpath finds.
target_link_options(torch_cpu INTERFACE -Wl,--allow-shlib-undefined)

# One precompiled header for every torch folder and torch test.
add_library(fathom_torch_pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/torch_pch.cpp)
target_link_libraries(fathom_torch_pch PUBLIC torch_cpu nlohmann_json::nlohmann_json)
if(FATHOM_PCH)
  # Only what nearly every file needs: GCC instantiates anew, in each file, what a precompiled header left pending
  # (custom_function.h costs 2 s per file, json .2 s).
  target_precompile_headers(fathom_torch_pch PRIVATE <torch/types.h>
    <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <span> <string> <string_view>
    <unordered_map> <variant> <vector> <nlohmann/json.hpp>)
endif()
function(fathom_use_torch target)
  target_link_libraries(${target} PUBLIC torch_cpu)
  fathom_use_pch(${target} torch)
endfunction()
