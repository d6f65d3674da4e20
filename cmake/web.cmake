# The engine and the studio's session as WebAssembly. Libraries come as sources (scripts/web_sources.sh); what
# GDAL does elsewhere src/plain does here.
set(GULLY_WEB_SOURCES ${PROJECT_SOURCE_DIR}/build/web-sources CACHE PATH "sources of jansson, libzstd and zlib")

# ---- libraries, compiled as they are

set(jansson ${GULLY_WEB_SOURCES}/jansson)
file(GLOB sources ${jansson}/src/*.c)
add_library(jansson STATIC ${sources})
target_include_directories(jansson SYSTEM PUBLIC ${jansson}/src ${jansson}/android)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers/jansson_private_config.h CONTENT "#define HAVE_STDINT_H 1\n#define HAVE_UNISTD_H 1\n")
target_compile_definitions(jansson PRIVATE HAVE_CONFIG_H)
target_compile_options(jansson PRIVATE -w)

set(zstd ${GULLY_WEB_SOURCES}/libzstd/lib)
file(GLOB sources ${zstd}/common/*.c ${zstd}/compress/*.c ${zstd}/decompress/*.c)
add_library(zstd STATIC ${sources})
target_include_directories(zstd SYSTEM PUBLIC ${zstd})
target_compile_definitions(zstd PRIVATE ZSTD_DISABLE_ASM ZSTD_STRIP_ERROR_STRINGS=1)
# Levels of compression that are not used here need not be fast.
set_source_files_properties(${zstd}/compress/zstd_lazy.c ${zstd}/compress/zstd_opt.c ${zstd}/compress/zstd_double_fast.c
    ${zstd}/compress/zstd_ldm.c ${zstd}/compress/zstdmt_compress.c PROPERTIES COMPILE_DEFINITIONS ZSTD_NO_INLINE=1)
target_compile_options(zstd PRIVATE -w)

set(zlib ${GULLY_WEB_SOURCES}/zlib)
add_library(zlib STATIC ${zlib}/adler32.c ${zlib}/compress.c ${zlib}/crc32.c ${zlib}/deflate.c ${zlib}/inffast.c
    ${zlib}/inflate.c ${zlib}/inftrees.c ${zlib}/trees.c ${zlib}/uncompr.c ${zlib}/zutil.c)
target_include_directories(zlib SYSTEM PUBLIC ${zlib})
target_compile_options(zlib PRIVATE -w)

# ---- rasters without GDAL, and what stands on them

gully_module(io)
get_target_property(sources gully_io SOURCES)
list(FILTER sources EXCLUDE REGEX "/(gdal_calls|hole_files|mosaic|raster|raster_copy|raster_place|raster_shared|raster_tiff|texture)\\.c$")
set_target_properties(gully_io PROPERTIES SOURCES "${sources}")
gully_module(plain io)
gully_module(scene io)
gully_module(mesh io)
gully_module(checkpoint io)
gully_module(session io scene checkpoint)
foreach(module io plain scene mesh session)
    target_link_libraries(gully_${module} PRIVATE jansson zlib)
endforeach()
target_link_libraries(gully_checkpoint PRIVATE zstd)
gully_library(gully_tools ON gully MODULES io plain scene mesh checkpoint session sched PRIVATE jansson zstd zlib)

# What is not the engine is compiled to be small: the page is to be loaded.
foreach(target jansson zstd zlib gully_io gully_plain gully_scene gully_mesh gully_checkpoint gully_session)
    target_compile_options(${target} PRIVATE -Os)
endforeach()

# ---- how all of it is linked

set(memory -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=4MB)
if(GULLY_WEB_THREADS)
    # Workers are made before they are needed: one that is asked for later could start only after whoever waits for it.
    list(APPEND memory -pthread -sPTHREAD_POOL_SIZE_STRICT=2)
endif()

# ---- the studio's engine, for a worker of the page

include(cmake/examples.cmake)
file(GLOB studio_sources CONFIGURE_DEPENDS studio/server/*.c studio/worker/*.c)
list(FILTER studio_sources EXCLUDE REGEX "/(http|http_files|socket|studio)\\.c$")
add_executable(gully_engine ${studio_sources} src/render/palette.c) # the page has its colours from the same table
gully_compile(gully_engine)
target_compile_options(gully_engine PRIVATE -Os)
target_include_directories(gully_engine PRIVATE studio/server ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(gully_engine PRIVATE gully_tools jansson)
target_link_options(gully_engine PRIVATE ${memory} -Os --no-entry -sMODULARIZE=1 -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=1
    -sENVIRONMENT=worker -sFORCE_FILESYSTEM=1 -sINCOMING_MODULE_JS_API=[wasmBinary,locateFile,send,threads]
    -sEXPORTED_RUNTIME_METHODS=[FS,HEAPU8,allocateUTF8,UTF8ToString]
    -sEXPORTED_FUNCTIONS=[_worker_open,_worker_take,_worker_turn,_worker_file_name,_malloc,_free])
if(GULLY_WEB_THREADS)
    target_link_options(gully_engine PRIVATE "-sPTHREAD_POOL_SIZE=Module['threads']")
endif()
set_target_properties(gully_engine PROPERTIES OUTPUT_NAME engine SUFFIX .mjs)

# ---- the runner of scenes, for node: hashes and speed

add_executable(gully_scenes tests/web/scenes.c)
gully_compile(gully_scenes)
target_include_directories(gully_scenes PRIVATE src/base src/world src/models)
target_link_libraries(gully_scenes PRIVATE gully_tools)
target_link_options(gully_scenes PRIVATE ${memory} -sENVIRONMENT=node -sNODERAWFS=1)
