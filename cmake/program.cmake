# What is made for the program and by it.

# The scene of `gully demo` stands in scenes/demo.json; the program carries its text.
set(demo_json ${PROJECT_SOURCE_DIR}/scenes/demo.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${demo_json})
file(READ ${demo_json} demo_text)
string(REPLACE "\\" "\\\\" demo_text "${demo_text}")
string(REPLACE "\"" "\\\"" demo_text "${demo_text}")
string(REPLACE "\n" "\\n\"\n    \"" demo_text "${demo_text}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/demo_scene.h.in
    ${PROJECT_BINARY_DIR}/generated/demo_scene.h @ONLY)
target_include_directories(gully_program PRIVATE ${PROJECT_BINARY_DIR}/generated)

# The man page is the program's own account of itself.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/gully.1
    COMMAND gully_program help --man > ${PROJECT_BINARY_DIR}/gully.1
    DEPENDS gully_program VERBATIM)
add_custom_target(man_page ALL DEPENDS ${PROJECT_BINARY_DIR}/gully.1)
