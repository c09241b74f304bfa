# SPDX-License-Identifier: Apache-2.0
# A registry is a text file `<plural>.list`: first line `# entry: <header> <type> <table function>`, then one
# source stem per line in menu order ('#' starts a comment), `sub/stem` for a source of a sub-folder. For each
# stem <stem>.cpp defines
#   <type> <stem>Entry();           (snake_case stem turned into lowerCamel)
# and this writes the source of  const std::vector<<type>>& <table function>()  and, as a source without any header that
# is an object of its own, the table of those functions: a program linked with another table (tests/fakes) has what that
# one names. out: both, with MORE the table alone.
# Another folder may go by the same list: fathom_list_source(out list <folder> <suffix> "# entry: …") takes
# <folder>/<stem><suffix>.cpp, sub-folder left out, of the stems that have one there. MORE <lists of the same kind>: their entries come behind
# those of the first, so that a program linked with the longer table has what they name (tests/fakes).
# A line without its source, and a source of the folder with an entry that none of its lists names, stop the build by name.
function(fathom_list_source out_var list_file)
  cmake_parse_arguments(L "" "" "MORE" ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_file} ${L_MORE})
  file(STRINGS ${list_file} lines)
  list(POP_FRONT lines head)
  get_filename_component(folder ${list_file} DIRECTORY)
  get_filename_component(name ${list_file} NAME_WE)
  set(suffix "")
  if(L_UNPARSED_ARGUMENTS)
    list(GET L_UNPARSED_ARGUMENTS 0 folder)
    list(GET L_UNPARSED_ARGUMENTS 1 suffix)
    list(GET L_UNPARSED_ARGUMENTS 2 head)
    set(name ${name}${suffix})
  endif()
  foreach(more IN LISTS L_MORE)
    file(STRINGS ${more} added REGEX "^[^#]")
    get_filename_component(elsewhere ${more} DIRECTORY)
    list(TRANSFORM added PREPEND "${elsewhere}/")
    list(APPEND lines ${added})
  endforeach()
  if(NOT L_MORE AND suffix STREQUAL "")
    fathom_unlisted_entries(${folder} "${head}")
  endif()
  if(NOT head MATCHES "^# entry: ([^ ]+) ([^ ]+) ([^ ]+)$")
    message(FATAL_ERROR "${list_file}: the first line must be '# entry: <header> <type> <table function>'")
  endif()
  set(header ${CMAKE_MATCH_1})
  set(type ${CMAKE_MATCH_2})
  set(table ${CMAKE_MATCH_3})
  set(declarations "")
  set(calls "")
  foreach(stem IN LISTS lines)
    string(REGEX REPLACE "#.*" "" stem "${stem}")
    string(STRIP "${stem}" stem)
    if(stem STREQUAL "")
      continue()
    endif()
    if(suffix)
      get_filename_component(stem ${stem} NAME)
    endif()
    string(APPEND stem "${suffix}")
    set(source ${stem})
    if(NOT IS_ABSOLUTE ${stem})
      set(source ${folder}/${stem})
    endif()
    if(NOT EXISTS ${source}.cpp)
      if(suffix)
        continue()
      endif()
      message(FATAL_ERROR "${list_file} names '${stem}', but there is no ${source}.cpp")
    endif()
    get_filename_component(leaf ${stem} NAME)
    string(REGEX MATCHALL "[^_]+" words ${leaf})
    set(camel "")
    foreach(word IN LISTS words)
      if(camel STREQUAL "")
        set(camel ${word})
      else()
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND camel ${first}${rest})
      endif()
    endforeach()
    string(APPEND declarations "${type} ${camel}Entry();\n")
    string(APPEND calls "${camel}Entry, ")
  endforeach()
  set(table_source ${CMAKE_CURRENT_BINARY_DIR}/${name}_table.cpp)
  fathom_write_changed(${table_source} "// Generated from ${name}.list
namespace fathom {
struct ${type};
${declarations}
extern ${type} (*const ${table}Table[])();
${type} (*const ${table}Table[])() = {${calls}nullptr};
}  // namespace fathom
")
  # Alone in its object, so that a longer table may take its place.
  set_source_files_properties(${table_source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set(sources ${table_source})
  if(NOT L_MORE)
    set(entries_source ${CMAKE_CURRENT_BINARY_DIR}/${name}_entries.cpp)
    fathom_write_changed(${entries_source} "// Generated from ${name}.list
#include \"${header}\"
#include <vector>
namespace fathom {
extern ${type} (*const ${table}Table[])();
const std::vector<${type}>& ${table}() {
  static const std::vector<${type}> entries = [] {
    std::vector<${type}> made;
    for (auto entry = ${table}Table; *entry != nullptr; ++entry) made.push_back((*entry)());
    return made;
  }();
  return entries;
}
}  // namespace fathom
")
    list(APPEND sources ${entries_source})
  endif()
  set(${out_var} ${sources} PARENT_SCOPE)
endfunction()

# Stops at a source below the folder that defines an entry of the list's type and is named by no list of the folder.
function(fathom_unlisted_entries folder head)
  if(NOT head MATCHES "^# entry: [^ ]+ ([^ ]+) ")
    return()
  endif()
  set(type ${CMAKE_MATCH_1})
  set(named "")
  file(GLOB lists ${folder}/*.list)
  foreach(list_file IN LISTS lists)
    file(STRINGS ${list_file} stems REGEX "^[^#]")
    foreach(stem IN LISTS stems)
      string(REGEX REPLACE "#.*" "" stem "${stem}")
      string(STRIP "${stem}" stem)
      get_filename_component(stem "${stem}" NAME)
      list(APPEND named ${stem})
    endforeach()
  endforeach()
  file(GLOB sources ${folder}/*.cpp ${folder}/*/*.cpp ${folder}/*/*/*.cpp)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} entry REGEX "^${type} [A-Za-z0-9]+Entry[(][)] {" LIMIT_COUNT 1)
    get_filename_component(stem ${source} NAME_WE)
    if(entry AND NOT stem IN_LIST named)
      message(FATAL_ERROR "${source} has an entry, but no list in ${folder} names '${stem}'")
    endif()
  endforeach()
endfunction()

# Writes a file where it does not say this already.
function(fathom_write_changed path text)
  if(EXISTS ${path})
    file(READ ${path} old)
  endif()
  if(NOT "${old}" STREQUAL "${text}")
    file(WRITE ${path} "${text}")
  endif()
endfunction()
