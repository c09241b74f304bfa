# SPDX-License-Identifier: Apache-2.0
# What travels inside the window's program: :/help/[zh_CN/]<id>.md, :/i18n/fathom_zh_CN.qm.
# (Icons belong to views.) Also the target update-translations and, for translators, the strings of fathom-engine.
function(fathom_resources target)
  set(root ${PROJECT_SOURCE_DIR}/resources)
  file(GLOB help CONFIGURE_DEPENDS ${root}/help/*.md ${root}/help/zh_CN/*.md)
  qt_add_resources(${target} help PREFIX / BASE ${root} FILES ${help})

  set(ts ${PROJECT_SOURCE_DIR}/translations/fathom_zh_CN.ts)
  set(qm ${CMAKE_BINARY_DIR}/i18n/fathom_zh_CN.qm)
  add_custom_command(OUTPUT ${qm}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/i18n
    COMMAND Qt6::lrelease -silent ${ts} -qm ${qm}
    DEPENDS ${ts} VERBATIM)
  set_source_files_properties(${qm} PROPERTIES GENERATED ON)
  qt_add_resources(${target} i18n PREFIX /i18n BASE ${CMAKE_BINARY_DIR}/i18n FILES ${qm})
endfunction()

# Strings that describe and the presets show; written after the engine is built, read by lupdate and the test.
function(fathom_engine_strings)
  set(FATHOM_ENGINE_STRINGS ${CMAKE_BINARY_DIR}/i18n/engine_strings.cpp)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  file(GLOB presets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/presets/*.json)
  add_custom_command(OUTPUT ${FATHOM_ENGINE_STRINGS}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/i18n
    COMMAND fathom-engine describe > ${CMAKE_BINARY_DIR}/i18n/describe.json
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/cmake/engine_strings.py
            ${CMAKE_BINARY_DIR}/i18n/describe.json ${PROJECT_SOURCE_DIR}/resources/presets ${FATHOM_ENGINE_STRINGS}
    DEPENDS fathom-engine ${presets} ${PROJECT_SOURCE_DIR}/cmake/engine_strings.py VERBATIM)
  add_custom_target(engine-strings ALL DEPENDS ${FATHOM_ENGINE_STRINGS})
  add_custom_target(update-translations
    COMMAND Qt6::lupdate -silent -I ${PROJECT_SOURCE_DIR} -no-obsolete -locations none -source-language en
            ${PROJECT_SOURCE_DIR}/app ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/views ${FATHOM_ENGINE_STRINGS}
            -ts ${PROJECT_SOURCE_DIR}/translations/fathom_zh_CN.ts
    DEPENDS ${FATHOM_ENGINE_STRINGS} VERBATIM)
endfunction()
