# The web: no cards, no GDAL, no server (docs/web.md). To be read before the modules are made.
set(GULLY_OPENCL OFF)
set(GULLY_SHARED OFF)
set(GULLY_WIDE_LAWS OFF)
option(GULLY_WEB_THREADS "steps on several threads: for pages that are cross-origin isolated" OFF)
add_compile_options(-msimd128 $<$<BOOL:${GULLY_WEB_THREADS}>:-pthread>)

# Of xxHash the header is all there is; the compiler does not look where the machine's own headers are.
find_file(XXHASH xxhash.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
configure_file(${XXHASH} ${PROJECT_BINARY_DIR}/headers/xxhash.h COPYONLY)
include_directories(SYSTEM ${PROJECT_BINARY_DIR}/headers)
