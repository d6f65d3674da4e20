# How our code is compiled. No contraction, so that every compiler and SIMD width gives the same bits;
# no errno and no traps, so that loops with roots and selects vectorise without changing a bit.
function(gully_warnings target)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wshadow -Wconversion $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> -Werror
        -ffp-contract=off -fno-math-errno -fno-trapping-math
        $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>) # EACH_CELL allows vectors, it does not ask for them
endfunction()

# gully_module(NAME USES...): the sources of src/NAME, which may include headers of the modules it
# uses and no others.
function(gully_module name)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
    add_library(gully_${name} OBJECT ${sources})
    gully_warnings(gully_${name})
    target_include_directories(gully_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include
        ${PROJECT_SOURCE_DIR}/src/${name})
    foreach(used ${ARGN})
        target_include_directories(gully_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src/${used})
    endforeach()
endfunction()
