# SPDX-License-Identifier: Apache-2.0
# The plug-in with our kernels for cards, libfathom-kernels-cuda.so, beside the engine: only where nvcc of CUDA 13 is found,
# the system's or the one of `packaging/deps.sh --kernels`. Nothing links it: the engine loads it at run time.
find_program(FATHOM_NVCC nvcc PATHS ${PROJECT_SOURCE_DIR}/build/deps/cuda/nvidia/cu13/bin ENV CUDA_HOME
  /usr/local/cuda/bin PATH_SUFFIXES bin)
# What was found, for the tests that need the plug-in.
set(found ${CMAKE_BINARY_DIR}/kernels/nvcc.txt)
if(NOT FATHOM_NVCC)
  file(WRITE ${found} "no nvcc")
  message(STATUS "no nvcc: libfathom-kernels-cuda.so is not built (packaging/deps.sh --kernels fetches it)")
  return()
endif()
execute_process(COMMAND ${FATHOM_NVCC} --version OUTPUT_VARIABLE nvcc_words ERROR_QUIET)
if(NOT nvcc_words MATCHES "release ([0-9]+)\\.[0-9]+, V([0-9.]+)" OR CMAKE_MATCH_1 LESS 13)
  file(WRITE ${found} "no nvcc of CUDA 13: ${FATHOM_NVCC}")
  message(STATUS "${FATHOM_NVCC} is no nvcc of CUDA 13: libfathom-kernels-cuda.so is not built")
  return()
endif()
set(nvcc_version ${CMAKE_MATCH_2})
file(WRITE ${found} "nvcc ${nvcc_version}")
set(folder ${CMAKE_BINARY_DIR}/cuda)
file(MAKE_DIRECTORY ${folder})
file(GLOB kernel_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/kernels/*.cu)
# A kernel of float32 or bfloat16 that spills, takes local memory or a double is an error.
set(nvcc_flags -std=c++20 -O3 -I${PROJECT_SOURCE_DIR} --cudart shared --expt-relaxed-constexpr -Werror all-warnings
  -Xcompiler -fPIC,-fvisibility=hidden
  -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
  -gencode arch=compute_100,code=sm_100 -gencode arch=compute_100,code=compute_100
  "-DFATHOM_KERNELS_MADE=\"nvcc ${nvcc_version}, sm_80 sm_90 sm_100\"")
set(exact_seeded_dropout --fmad=false)  # the processor's sums to the bit
set(objects "")
foreach(source IN LISTS kernel_sources)
  get_filename_component(stem ${source} NAME_WE)
  set(parts 1 2)
  if(stem STREQUAL "kernel_table")
    set(parts 1)
  endif()
  foreach(part IN LISTS parts)
    set(strict -v)
    if(part EQUAL 1)  # float64 is there to check with: it may be slow
      string(APPEND strict ,-warn-spills,-warn-lmem-usage,-warn-double-usage)
    endif()
    set(object ${folder}/${stem}_${part}.o)
    # What ptxas says of registers and shared memory stays beside the object: tst_kernel_plugin reads it.
    add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMENT "nvcc ${stem} ${part}"
      COMMAND ${CMAKE_COMMAND} "-DCOMMAND=${FATHOM_NVCC};${nvcc_flags};${exact_${stem}};-Xptxas;${strict};-DFATHOM_KERNEL_PART=${part};-MD;-MF;${object}.d;-c;${source};-o;${object}"
        -DLOG=${object}.log -P ${PROJECT_SOURCE_DIR}/cmake/Nvcc.cmake)
    list(APPEND objects ${object})
  endforeach()
endforeach()
set(plugin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/libfathom-kernels-cuda.so)
add_custom_command(OUTPUT ${plugin} DEPENDS ${objects} VERBATIM COMMENT "Linking libfathom-kernels-cuda.so"
  COMMAND ${FATHOM_NVCC} -shared --cudart shared ${objects} -o ${plugin})
add_custom_target(cuda_kernels ALL DEPENDS ${plugin})
