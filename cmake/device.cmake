# Graphics cards. Only OpenCL's headers are needed to build; without them the library has the processor alone.
find_path(OPENCL_HEADERS CL/cl.h)
if(GULLY_OPENCL AND NOT OPENCL_HEADERS)
    message(FATAL_ERROR "CL/cl.h is missing (Debian: opencl-c-headers); or configure with -DGULLY_OPENCL=OFF")
endif()

# The texts that a device compiles, inside the library: rows and cells of the laws, and what they stand on.
# gully_device_sources(OUT NAME FILES...): a C file with a table of them.
function(gully_device_sources out name)
    string(REPLACE ";" "|" files "${ARGN}")
    add_custom_command(OUTPUT ${out} DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/device_sources.cmake
        COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAME=${name} "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/cmake/device_sources.cmake VERBATIM)
endfunction()

if(GULLY_OPENCL)
    file(GLOB device_texts CONFIGURE_DEPENDS src/models/*.rows.h src/models/*.cell.h src/device/*.cell.h)
    list(APPEND device_texts ${PROJECT_SOURCE_DIR}/src/models/row.h ${PROJECT_SOURCE_DIR}/src/models/cell.h
        ${PROJECT_SOURCE_DIR}/src/world/fields.h ${PROJECT_SOURCE_DIR}/src/world/half.h
        ${PROJECT_SOURCE_DIR}/src/device/prelude.h ${PROJECT_SOURCE_DIR}/src/device/kernel_frame.h
        ${PROJECT_SOURCE_DIR}/src/device/chain_frame.h
        ${PROJECT_SOURCE_DIR}/src/device/probe.cl.h)
    set(device_sources ${PROJECT_BINARY_DIR}/device_sources.c)
    gully_device_sources(${device_sources} device_sources ${device_texts})
    target_sources(gully_device PRIVATE ${device_sources})
    foreach(module device sim)
        target_compile_definitions(gully_${module} PRIVATE GULLY_OPENCL)
        target_include_directories(gully_${module} SYSTEM PRIVATE ${OPENCL_HEADERS})
    endforeach()
else()
    get_target_property(sources gully_device SOURCES)
    list(FILTER sources INCLUDE REGEX "no_device")
    set_target_properties(gully_device PROPERTIES SOURCES "${sources}")
    get_target_property(sources gully_sim SOURCES)
    list(FILTER sources EXCLUDE REGEX "/device_")
    set_target_properties(gully_sim PROPERTIES SOURCES "${sources}")
endif()
