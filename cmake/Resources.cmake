# SPDX-License-Identifier: Apache-2.0
# What travels inside the window's program: :/help/[zh_CN/]<id>.md, :/news/CHANGELOG.md, :/i18n/fathom_zh_CN.qm, :/sample.
# (Icons belong to views.) Also the target update-translations and, for translators, the strings of fathom-engine.
# Every page of a help folder stands in its contents.list once and exists in each language; stops with its name.
function(fathom_check_help folder)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/contents.list)
  file(STRINGS ${folder}/contents.list listed REGEX "^[a-z]")
  foreach(language "" /zh_CN)
    file(GLOB pages RELATIVE ${folder}${language} ${folder}${language}/*.md)
    list(TRANSFORM pages REPLACE "\\.md$" "")
    foreach(page ${pages})
      if(NOT page IN_LIST listed)
        message(FATAL_ERROR "${folder}/contents.list does not name the page ${page}")
      endif()
    endforeach()
    foreach(page ${listed})
      if(NOT page IN_LIST pages)
        message(FATAL_ERROR "${folder}/contents.list names ${page}, but ${folder}${language}/${page}.md is not there")
      endif()
    endforeach()
  endforeach()
  set(once ${listed})
  list(REMOVE_DUPLICATES once)
  list(LENGTH listed lines)
  list(LENGTH once pages)
  if(NOT lines EQUAL pages)
    message(FATAL_ERROR "${folder}/contents.list names a page twice")
  endif()
endfunction()

function(fathom_resources target)
  set(root ${PROJECT_SOURCE_DIR}/resources)
  file(GLOB help CONFIGURE_DEPENDS ${root}/help/*.md ${root}/help/zh_CN/*.md)
  fathom_check_help(${root}/help)
  qt_add_resources(${target} help PREFIX / BASE ${root} FILES ${help} ${root}/help/contents.list)
  set(linux ${PROJECT_SOURCE_DIR}/packaging/linux)
  qt_add_resources(${target} desktop PREFIX /desktop BASE ${linux} FILES ${linux}/org.fathom.Fathom.svg)
  qt_add_resources(${target} sample PREFIX /sample BASE ${root}/sample FILES ${root}/sample/trained_run.tar.zst)
  qt_add_resources(${target} news PREFIX /news BASE ${PROJECT_SOURCE_DIR} FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
  set(packaging ${PROJECT_SOURCE_DIR}/packaging)
  qt_add_resources(${target} wheels PREFIX /wheels BASE ${packaging} FILES ${packaging}/libtorch-requirements.txt)

  set(ts ${PROJECT_SOURCE_DIR}/translations/fathom_zh_CN.ts)
  set(qm ${CMAKE_BINARY_DIR}/i18n/fathom_zh_CN.qm)
  add_custom_command(OUTPUT ${qm}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/i18n
    COMMAND Qt6::lrelease -silent ${ts} -qm ${qm}
    DEPENDS ${ts} VERBATIM)
  set_source_files_properties(${qm} PROPERTIES GENERATED ON)
  qt_add_resources(${target} i18n PREFIX /i18n BASE ${CMAKE_BINARY_DIR}/i18n FILES ${qm})
endfunction()

# Strings that the programs and the presets declare; written after the programs are built, read by lupdate and the test.
function(fathom_shown_strings)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(folder ${CMAKE_BINARY_DIR}/i18n)
  set(script ${PROJECT_SOURCE_DIR}/cmake/shown_strings.py)
  add_custom_command(OUTPUT ${folder}/command_strings.cpp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND fathom commands --json > ${folder}/commands.json
    COMMAND Python3::Interpreter ${script} Command ${folder}/command_strings.cpp ${folder}/commands.json
    DEPENDS fathom ${script} VERBATIM)
  set(sources ${folder}/command_strings.cpp)
  if(TARGET fathom-engine)
    file(GLOB presets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/presets/*.json)
    add_custom_command(OUTPUT ${folder}/engine_strings.cpp
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND fathom-engine describe > ${folder}/describe.json
      COMMAND Python3::Interpreter ${script} Engine ${folder}/engine_strings.cpp ${folder}/describe.json ${presets}
      DEPENDS fathom-engine ${presets} ${script} VERBATIM)
    list(APPEND sources ${folder}/engine_strings.cpp)
    add_custom_target(update-translations
      COMMAND Qt6::lupdate -silent -I ${PROJECT_SOURCE_DIR} -no-obsolete -locations none -source-language en
              ${PROJECT_SOURCE_DIR}/app ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/views ${sources}
              -ts ${PROJECT_SOURCE_DIR}/translations/fathom_zh_CN.ts
      DEPENDS ${sources} VERBATIM)
  endif()
  add_custom_target(shown-strings ALL DEPENDS ${sources})
endfunction()
