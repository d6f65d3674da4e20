# The studio's server, on the public headers and CivetWeb, for which Debian has no pkg-config file.
find_path(CIVETWEB_INCLUDE_DIR civetweb.h)
find_library(CIVETWEB_LIBRARY civetweb)
if(NOT CIVETWEB_INCLUDE_DIR OR NOT CIVETWEB_LIBRARY)
    message(FATAL_ERROR "CivetWeb is missing (Debian: libcivetweb-dev); without the studio: -DGULLY_STUDIO=OFF")
endif()

include(cmake/examples.cmake)

file(GLOB studio_sources CONFIGURE_DEPENDS studio/server/*.c)
add_library(gully_studio STATIC ${studio_sources})
gully_compile(gully_studio)
target_include_directories(gully_studio PUBLIC studio/server PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_include_directories(gully_studio SYSTEM PRIVATE ${CIVETWEB_INCLUDE_DIR})
target_link_libraries(gully_studio PUBLIC gully_tools PkgConfig::JANSSON PRIVATE ${CIVETWEB_LIBRARY})
