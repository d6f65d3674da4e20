# What `cmake --install` puts where: headers, libraries (static and shared), pkg-config files, a CMake
# package, the program, its man page and completion, a desktop entry and, if it was built, the studio's page.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gully)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_up /prefix/${pkgconfig_dir} /prefix) # so that the prefix may move
get_target_property(library_type gully TYPE)
set(is_static OFF) # gully::gully
set(only_static OFF) # what -lgully finds
if(library_type STREQUAL STATIC_LIBRARY)
    set(is_static ON)
    if(NOT TARGET gully_shared)
        set(only_static ON)
    endif()
endif()

install(DIRECTORY include/gully DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS gully EXPORT gully-targets)
if(TARGET gully_shared)
    set_target_properties(gully_shared PROPERTIES EXPORT_NAME shared)
    install(TARGETS gully_shared EXPORT gully-targets)
endif()

set(gully_needs_gdal OFF)
if(GULLY_TOOLS)
    include(cmake/program.cmake)
    set(gully_needs_gdal ${is_static})
    file(RELATIVE_PATH to_libraries /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
    set_target_properties(gully_tools PROPERTIES EXPORT_NAME tools)
    set_target_properties(gully_program PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
    install(TARGETS gully_tools EXPORT gully-tools-targets)
    if(TARGET gully_tools_shared)
        set_target_properties(gully_tools_shared PROPERTIES EXPORT_NAME tools_shared)
        install(TARGETS gully_tools_shared EXPORT gully-tools-targets)
    endif()
    install(TARGETS gully_program)
    install(FILES ${PROJECT_BINARY_DIR}/gully.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    if(GULLY_STUDIO)
        install(FILES studio/gully-studio.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
        install(FILES studio/web/src/icon.svg RENAME gully.svg
            DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
    endif()
    install(DIRECTORY ${PROJECT_BINARY_DIR}/studio DESTINATION ${CMAKE_INSTALL_DATADIR}/gully OPTIONAL) # make page
endif()

# A static library's user also links what the library stands on: `pkg-config --static`, or always if
# no shared one is installed. If only shared ones are, nobody needs the files of what they stand on.
set(pc_tools_requires "gully = ${PROJECT_VERSION}")
set(pc_tools_private "")
if(is_static)
    set(pc_tools_private "gdal, jansson, libzstd")
    if(GULLY_EXR)
        string(APPEND pc_tools_private ", OpenEXR")
    endif()
endif()
if(only_static)
    set(pc_static_libs " -lm -pthread")
    string(APPEND pc_tools_requires ", ${pc_tools_private}")
endif()

configure_file(cmake/gully.pc.in ${PROJECT_BINARY_DIR}/gully.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gully.pc DESTINATION ${pkgconfig_dir})
if(GULLY_TOOLS)
    configure_file(cmake/gully-tools.pc.in ${PROJECT_BINARY_DIR}/gully-tools.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/gully-tools.pc DESTINATION ${pkgconfig_dir})
endif()

configure_package_config_file(cmake/gully-config.cmake.in ${PROJECT_BINARY_DIR}/gully-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gully-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gully-config.cmake
    ${PROJECT_BINARY_DIR}/gully-config-version.cmake DESTINATION ${package_dir})
install(EXPORT gully-targets NAMESPACE gully:: DESTINATION ${package_dir})
if(GULLY_TOOLS)
    install(EXPORT gully-tools-targets NAMESPACE gully:: DESTINATION ${package_dir})
endif()
