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

# So is the completion for shells, where each of them looks for it.
set(completion_files)
foreach(row "bash:bash-completion/completions/gully" "zsh:zsh/site-functions/_gully"
        "fish:fish/vendor_completions.d/gully.fish")
    string(REGEX MATCH "^([a-z]+):(.*)/([^/]+)$" unused ${row})
    set(completion ${PROJECT_BINARY_DIR}/completion/${CMAKE_MATCH_1}/${CMAKE_MATCH_3})
    add_custom_command(OUTPUT ${completion}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion/${CMAKE_MATCH_1}
        COMMAND gully_program help --completion ${CMAKE_MATCH_1} > ${completion}
        DEPENDS gully_program VERBATIM)
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2})
    list(APPEND completion_files ${completion})
endforeach()
add_custom_target(completions ALL DEPENDS ${completion_files})
