# SPDX-License-Identifier: Apache-2.0
# The plug-in with graphs of a card (core/kernels/graphs), libfathom-graphs-cuda.so, beside the engine: where LibTorch has its
# CUDA part, and the headers of CUDA 13 lie beside it or in the system's toolkit; no nvcc. Nothing links it: the engine loads it.
# Linked to LibTorch's CUDA part, so that a function it has not is an error of the build.
find_path(FATHOM_CUDA_HEADERS cuda_runtime_api.h PATHS ${FATHOM_LIBTORCH}/../nvidia/cu13/include ENV CUDA_HOME
  /usr/local/cuda/include PATH_SUFFIXES include NO_DEFAULT_PATH)
find_library(FATHOM_CUDART libcudart.so.13 PATHS ${FATHOM_LIBTORCH}/../nvidia/cu13/lib ENV CUDA_HOME
  /usr/local/cuda/lib64 PATH_SUFFIXES lib64 NO_DEFAULT_PATH)
if(NOT FATHOM_CUDA_HEADERS OR NOT FATHOM_CUDART OR NOT EXISTS ${FATHOM_LIBTORCH}/lib/libtorch_cuda.so)
  message(STATUS "no CUDA part of LibTorch, or no headers of CUDA 13: libfathom-graphs-cuda.so is not built")
  return()
endif()
add_library(cuda_graphs SHARED ${PROJECT_SOURCE_DIR}/core/kernels/graphs/cuda_graphs.cpp)
set_target_properties(cuda_graphs PROPERTIES OUTPUT_NAME fathom-graphs-cuda CXX_VISIBILITY_PRESET hidden UNITY_BUILD OFF
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} SKIP_BUILD_RPATH ON)
target_include_directories(cuda_graphs PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(cuda_graphs SYSTEM PRIVATE ${FATHOM_CUDA_HEADERS})
target_compile_definitions(cuda_graphs PRIVATE "FATHOM_GRAPHS_MADE=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\"")
target_link_libraries(cuda_graphs PRIVATE ${FATHOM_LIBTORCH}/lib/libtorch_cuda.so ${FATHOM_LIBTORCH}/lib/libc10_cuda.so
  ${FATHOM_CUDART} torch_cpu -Wl,--no-undefined)
