option(GULLY_WERROR "take warnings as errors: for those who work on Gully, and for CI" OFF)

function(gully_warnings target)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wshadow -Wconversion $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
        $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed> # EACH_CELL allows vectors, it does not ask for them
        $<$<BOOL:${GULLY_WERROR}>:-Werror>)
endfunction()

# The same bits with every compiler and at every vector width: no product and sum are contracted. Without
# errno and traps loops with roots and selects vectorise, and no bit changes.
function(gully_same_bits target)
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math)
endfunction()

# What every target of ours is compiled with.
function(gully_compile target)
    gully_warnings(${target})
    gully_same_bits(${target})
endfunction()

# gully_module(NAME USES...): the sources of src/NAME, which may include headers of the modules it
# uses and no others.
function(gully_module name)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
    add_library(gully_${name} OBJECT ${sources})
    gully_compile(gully_${name})
    target_include_directories(gully_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include
        ${PROJECT_SOURCE_DIR}/src/${name})
    foreach(used ${ARGN})
        target_include_directories(gully_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src/${used})
    endforeach()
endfunction()

# gully_laws(NAME SOURCES... [INCLUDES...]): object libraries of laws, one for each vector width that the
# processor family has; laws.c chooses at run time. Sets NAME_OBJECTS.
include(CheckCCompilerFlag)
check_c_compiler_flag(-mavx512f GULLY_WIDE_LAWS)
set(GULLY_WIDTHS baseline)
if(GULLY_WIDE_LAWS)
    list(APPEND GULLY_WIDTHS plain avx2 avx512) # plain: one cell at a time, for comparison
endif()
set(GULLY_FLAGS_plain -DONE_CELL_AT_A_TIME -fno-tree-vectorize -fno-tree-slp-vectorize)
set(GULLY_FLAGS_avx2 -mavx2)
set(GULLY_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512)

# Loops that set a few columns to 0 stay loops: a call, or "rep stos", costs more than they do.
# Clang would keep cells that one turn of a loop loads for the next turn, and then compute one cell at a time.
set(GULLY_FLAGS_laws $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>
    $<$<C_COMPILER_ID:Clang>:SHELL:-mllvm -enable-load-pre=false>)

function(gully_laws name)
    cmake_parse_arguments(laws "" "" "SOURCES;INCLUDES" ${ARGN})
    foreach(width ${GULLY_WIDTHS})
        add_library(${name}_${width} OBJECT ${laws_SOURCES})
        gully_compile(${name}_${width})
        target_compile_options(${name}_${width} PRIVATE ${GULLY_FLAGS_laws} ${GULLY_FLAGS_${width}})
        target_compile_definitions(${name}_${width} PRIVATE LAW_WIDTH=${width})
        target_include_directories(${name}_${width} PRIVATE ${PROJECT_SOURCE_DIR}/include
            ${PROJECT_SOURCE_DIR}/src/base ${PROJECT_SOURCE_DIR}/src/dist ${PROJECT_SOURCE_DIR}/src/world
            ${PROJECT_SOURCE_DIR}/src/models ${laws_INCLUDES})
        list(APPEND objects $<TARGET_OBJECTS:${name}_${width}>)
    endforeach()
    set(${name}_OBJECTS ${objects} PARENT_SCOPE)
endfunction()

# gully_library(NAME [ON LIBRARY] [OBJECTS...] MODULES... [PUBLIC...] [PRIVATE...]): a library of the
# objects and modules. If the default is static, the same objects also make NAME_shared, for
# programs that load a library: its file has the same name, and no symbol but the public ones.
function(gully_library name)
    cmake_parse_arguments(library "" "ON" "OBJECTS;MODULES;PUBLIC;PRIVATE" ${ARGN})
    foreach(module ${library_MODULES})
        list(APPEND library_OBJECTS $<TARGET_OBJECTS:gully_${module}>)
    endforeach()
    add_library(${name} ${library_OBJECTS})
    target_link_libraries(${name} PUBLIC ${library_ON})
    # Symbols of shared libraries have a version: that of the file.
    set(symbols ${PROJECT_BINARY_DIR}/${name}.map)
    string(TOUPPER ${name} node)
    file(CONFIGURE OUTPUT ${symbols} @ONLY CONTENT
        "@node@_@PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@ { global: gully_*; local: *; };\n")
    set(kinds ${name})
    if(GULLY_SHARED AND NOT BUILD_SHARED_LIBS)
        add_library(${name}_shared SHARED ${library_OBJECTS})
        if(library_ON)
            target_link_libraries(${name}_shared PUBLIC ${library_ON}_shared)
        endif()
        list(APPEND kinds ${name}_shared)
    endif()
    foreach(kind ${kinds})
        target_link_libraries(${kind} PUBLIC ${library_PUBLIC} PRIVATE ${library_PRIVATE})
        target_include_directories(${kind} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        # Before 1.0 every minor version may break what is linked with it.
        set_target_properties(${kind} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C
            VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
            BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${symbols})
        target_link_options(${kind} PRIVATE -Wl,--version-script=${symbols}) # static libraries are not linked
    endforeach()
endfunction()
