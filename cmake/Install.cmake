# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)
foreach(program fathom fathom-engine fathom-sqlrun)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
# The installed engine finds LibTorch where it was built against: LibTorch and NVIDIA's libraries are never bundled.
if(TARGET fathom-engine)
  set_target_properties(fathom-engine PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
endif()
set(linux ${PROJECT_SOURCE_DIR}/packaging/linux)
install(FILES ${linux}/org.fathom.Fathom.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
# Home page and pictures stand in the metainfo where the build is told where they are.
set(FATHOM_HOMEPAGE "" CACHE STRING "https address of the home page, with the pictures of resources/pictures below pictures/")
file(READ ${linux}/org.fathom.Fathom.metainfo.xml metainfo)
if(FATHOM_HOMEPAGE)
  string(REPLACE "@FATHOM_HOMEPAGE@" "${FATHOM_HOMEPAGE}" metainfo "${metainfo}")
else()
  string(REGEX REPLACE "  <!-- links.*<!-- end of links -->\n" "" metainfo "${metainfo}")
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/org.fathom.Fathom.metainfo.xml CONTENT "${metainfo}" @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/org.fathom.Fathom.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${linux}/org.fathom.Fathom.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${linux}/org.fathom.Fathom.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
  RENAME org.fathom.Fathom.xml)
# What Python programs import to write their runs; its wheel is made by packaging/python/build.sh.
install(FILES ${PROJECT_SOURCE_DIR}/packaging/python/fathom.py DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom/python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/LICENSES/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses)
