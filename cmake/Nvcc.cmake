# SPDX-License-Identifier: Apache-2.0
# cmake -DCOMMAND=<nvcc and its words> -DLOG=<file> -P Nvcc.cmake: runs it; what it says goes to the file, and here where
# it fails.
execute_process(COMMAND ${COMMAND} OUTPUT_FILE ${LOG} ERROR_FILE ${LOG} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  file(READ ${LOG} said)
  message(FATAL_ERROR "${said}")
endif()
