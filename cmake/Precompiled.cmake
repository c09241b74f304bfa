# SPDX-License-Identifier: Apache-2.0
# Precompiled headers, one carrier per kind of code (LibTorch.cmake has the torch folders'): parsing the standard
# library, json and Qt's headers takes longer than compiling most of our files. Sources still include what they use:
# preset `strict` builds without any of this.
add_library(fathom_std_pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/std_pch.cpp)
target_link_libraries(fathom_std_pch PUBLIC nlohmann_json::nlohmann_json)
set(fathom_std_headers <algorithm> <array> <charconv> <cmath> <cstdint> <cstdio> <filesystem> <fstream> <functional>
  <limits> <map> <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
  <nlohmann/json.hpp>)
add_library(fathom_widgets_pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/std_pch.cpp)
if(FATHOM_PCH)
  target_precompile_headers(fathom_std_pch PRIVATE ${fathom_std_headers})
endif()
if(FATHOM_GUI)
  target_link_libraries(fathom_widgets_pch PUBLIC
    nlohmann_json::nlohmann_json Qt6::Core Qt6::Gui Qt6::Widgets Qt6::PrintSupport Qt6::Svg)
  target_compile_definitions(fathom_widgets_pch PUBLIC QT_NO_KEYWORDS QT_NO_CAST_FROM_BYTEARRAY)
  if(FATHOM_PCH)
    target_precompile_headers(fathom_widgets_pch PRIVATE ${fathom_std_headers} <QtCore> <QtGui> <QtWidgets>)
  endif()
  if(FATHOM_EDIT_LOOP)
    target_compile_options(fathom_widgets_pch PRIVATE -O0)
  endif()
endif()

# fathom_use_pch(<target> std|qtest|widgets); qtest is made in tests/CMakeLists.txt.
function(fathom_use_pch target kind)
  if(FATHOM_EDIT_LOOP AND kind STREQUAL "widgets")
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(FATHOM_PCH)
    target_precompile_headers(${target} REUSE_FROM fathom_${kind}_pch)
  endif()
endfunction()
