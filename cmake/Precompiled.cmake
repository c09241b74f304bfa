# SPDX-License-Identifier: Apache-2.0
# Precompiled headers, one carrier per kind of code (LibTorch.cmake has the torch folders'): parsing the standard
# library, json and Qt's headers takes longer than compiling most of our files. Sources still include what they use:
# preset `strict` builds without any of this.
add_library(fathom_std_pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/std_pch.cpp)
target_link_libraries(fathom_std_pch PUBLIC nlohmann_json::nlohmann_json)
set(fathom_std_headers <algorithm> <array> <charconv> <cmath> <cstdint> <cstdio> <filesystem> <fstream> <functional>
  <limits> <map> <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
  <nlohmann/json.hpp>)
set(fathom_widgets_headers <QtCore> <QtGui> <QtWidgets>)

# Preset `dev`: the headers also hold the value types that everything uses, and clang compiles their code once, into
# fathom_<kind>_code, instead of into each file (-fpch-codegen). Changing one of these types builds everything anew.
# fathom_pch_code(std|torch|qtest|widgets <libs...>): libs are what the headers' inline functions call.
set(FATHOM_PCH_CODE OFF)
if(FATHOM_PCH AND FATHOM_EDIT_LOOP AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT FATHOM_SANITIZE)
  set(FATHOM_PCH_CODE ON)
  list(APPEND fathom_std_headers ${CMAKE_CURRENT_LIST_DIR}/edit_loop_code.h)
  list(APPEND fathom_widgets_headers ${CMAKE_CURRENT_LIST_DIR}/edit_loop_widgets.h)
endif()
function(fathom_pch_code kind)
  if(NOT FATHOM_PCH_CODE)
    return()
  endif()
  set(carrier fathom_${kind}_pch)
  target_compile_options(${carrier} PRIVATE -fpch-codegen)
  target_include_directories(${carrier} PRIVATE ${PROJECT_SOURCE_DIR})
  get_target_property(folder ${carrier} BINARY_DIR)
  set(header ${folder}/CMakeFiles/${carrier}.dir/cmake_pch.hxx.pch)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/fathom_${kind}_code.o)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE}")
  add_custom_command(OUTPUT ${object} DEPENDS ${header} VERBATIM COMMENT "Compiling the code of ${carrier}"
    COMMAND ${CMAKE_CXX_COMPILER} ${flags} -std=c++20 -fPIC -ffp-contract=off -ffunction-sections -Qunused-arguments
      -c ${header} -o ${object})
  add_library(fathom_${kind}_code STATIC ${object})
  set_target_properties(fathom_${kind}_code PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(fathom_${kind}_code INTERFACE ${ARGN})
  # Inline functions that nobody calls may name what their library does not export (std::filesystem::path does).
  target_link_options(fathom_${kind}_code INTERFACE -Wl,--gc-sections)
endfunction()

if(FATHOM_PCH)
  target_precompile_headers(fathom_std_pch PRIVATE ${fathom_std_headers})
  fathom_pch_code(std fathom_base)
endif()
add_library(fathom_widgets_pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/std_pch.cpp)
if(FATHOM_GUI)
  target_link_libraries(fathom_widgets_pch PUBLIC
    nlohmann_json::nlohmann_json Qt6::Core Qt6::Gui Qt6::Widgets Qt6::PrintSupport Qt6::Svg)
  target_compile_definitions(fathom_widgets_pch PUBLIC QT_NO_KEYWORDS QT_NO_CAST_FROM_BYTEARRAY)
  if(FATHOM_PCH)
    target_precompile_headers(fathom_widgets_pch PRIVATE ${fathom_std_headers} ${fathom_widgets_headers})
    fathom_pch_code(widgets fathom_views)
  endif()
endif()

if(FATHOM_GUI AND FATHOM_PCH_CODE)
  add_library(fathom_window_pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/std_pch.cpp)
  target_link_libraries(fathom_window_pch PUBLIC fathom_widgets_pch CLI11::CLI11)
  target_precompile_headers(fathom_window_pch PRIVATE
    ${fathom_std_headers} ${fathom_widgets_headers} ${CMAKE_CURRENT_LIST_DIR}/edit_loop_window.h)
  fathom_pch_code(window fathom_app)
endif()

if(FATHOM_TORCH AND FATHOM_PCH_CODE)
  target_precompile_headers(fathom_torch_pch PRIVATE
    <torch/csrc/autograd/custom_function.h> ${CMAKE_CURRENT_LIST_DIR}/edit_loop_code.h)
  fathom_pch_code(torch fathom_base torch_cpu)
endif()

# fathom_use_pch(<target> std|torch|qtest|widgets|window): window is the application's own in preset `dev`, else
# widgets; qtest is made in tests/CMakeLists.txt.
function(fathom_use_pch target kind)
  if(kind STREQUAL "window" AND NOT FATHOM_PCH_CODE)
    set(kind widgets)
  endif()
  if(FATHOM_PCH)
    target_precompile_headers(${target} REUSE_FROM fathom_${kind}_pch)
  endif()
  if(FATHOM_PCH_CODE)
    target_link_libraries(${target} PUBLIC fathom_${kind}_code)
  endif()
endfunction()
