// Rasters through GDAL: anything it reads in, float GeoTIFF and PNG out.
//
// GDAL reports through an error handler; ours is on while GDAL is called and keeps what it says for
// our own message. Nothing is printed.

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include "files.h"
#include "gully/raster.h"

/// What GDAL complained about since `gdal_enter`.
typedef struct Complaints {
    int failures;
    char first[400]; ///< the first failure: the later ones follow from it
} Complaints;

static void CPL_STDCALL complain(CPLErr severity, CPLErrorNum number, const char* text) {
    (void)number;
    if (severity < CE_Failure) return;
    // PROJ misses its database: the projection is written with less detail, the raster is whole.
    if (strncmp(text, "PROJ:", 5) == 0) return;
    Complaints* complaints = CPLGetErrorHandlerUserData();
    if (complaints->failures++ > 0) return;
    snprintf(complaints->first, sizeof complaints->first, "%s", text);
    for (char* c = complaints->first; *c != '\0'; ++c)
        if (*c == '\n' || *c == '\r') *c = ' ';
}

static void gdal_enter(Complaints* complaints) {
    static pthread_once_t registered = PTHREAD_ONCE_INIT;
    *complaints = (Complaints){0};
    CPLPushErrorHandlerEx(complain, complaints);
    pthread_once(&registered, GDALAllRegister);
}

static void gdal_leave(void) {
    CPLPopErrorHandler();
    CPLErrorReset();
}

// ---- the size of a cell ----

/// Metres per radian at a latitude on the WGS84 ellipsoid.
///   M = a (1 - e2) / (1 - e2 sin2 lat)^(3/2)   along the meridian
///   N cos lat, N = a / sqrt(1 - e2 sin2 lat)   along the parallel
static void metres_per_radian(double latitude, double* east, double* north) {
    const double a = 6378137.0;           // [m]
    const double f = 1.0 / 298.257223563; // [1]
    const double e2 = f * (2.0 - f);
    double s = sin(latitude);
    double w2 = 1.0 - e2 * s * s;
    *north = a * (1.0 - e2) / (w2 * sqrt(w2));
    *east = a / sqrt(w2) * cos(latitude);
}

/// Whether PROJ finds its database. Without it GDAL takes a projection in feet for one in metres.
static bool projections_are_known(void) {
    OGRSpatialReferenceH probe = OSRNewSpatialReference(NULL);
    bool known = OSRImportFromEPSG(probe, 4326) == OGRERR_NONE;
    OSRDestroySpatialReference(probe);
    return known;
}

/// Sets the cell size from the transform and the projection (NULL: metres).
static GullyStatus measure_cells(const char* path, OGRSpatialReferenceH projection,
                                 GullyRaster* raster) {
    const double* t = raster->georeference.transform;
    double east = 1.0, north = 1.0; // [m] per unit of the transform
    if (raster->georeference.geographic) {
        double unit = OSRGetAngularUnits(projection, NULL); // [rad]
        double latitude = unit * (t[3] + 0.5 * t[4] * raster->width + 0.5 * t[5] * raster->height);
        double degrees = latitude * (180.0 / 3.14159265358979323846);
        if (!(fabs(degrees) < 90.0))
            return gully_fail(GULLY_BAD_INPUT,
                              "%s: its centre is at latitude %g degrees; "
                              "a geographic raster must have it between -90 and 90",
                              path, degrees);
        metres_per_radian(latitude, &east, &north);
        east *= unit;
        north *= unit;
    } else if (projection != NULL) {
        if (!projections_are_known())
            return gully_fail(GULLY_FAILED,
                              "%s: the unit of its projection is not known: PROJ does not find its "
                              "database proj.db; PROJ_LIB must name the folder that holds it",
                              path);
        double unit = OSRGetLinearUnits(projection, NULL); // [m]
        if (isfinite(unit) && unit > 0.0) east = north = unit;
    }
    raster->cell_x = hypot(t[1] * east, t[4] * north);
    raster->cell_y = hypot(t[2] * east, t[5] * north);
    return GULLY_OK;
}

static char* projection_text(OGRSpatialReferenceH projection) {
    const char* const options[] = {"FORMAT=WKT2_2019", "MULTILINE=NO", NULL};
    char* text = NULL;
    char* result = NULL;
    if (OSRExportToWktEx(projection, &text, options) == OGRERR_NONE && text != NULL && *text)
        result = strdup(text);
    CPLFree(text);
    return result;
}

/// A transform that maps the cells to an area: no zero and no infinite cell.
static bool transform_is_usable(const double* t) {
    for (int i = 0; i < 6; ++i)
        if (!isfinite(t[i])) return false;
    return t[1] * t[5] - t[2] * t[4] != 0.0;
}

static GullyStatus read_georeference(const char* path, GDALDatasetH dataset, GullyRaster* raster) {
    GullyGeoreference* georeference = &raster->georeference;
    if (GDALGetGeoTransform(dataset, georeference->transform) != CE_None ||
        !transform_is_usable(georeference->transform)) {
        *georeference = gully_georeference_plain(raster->height, 1.0, 1.0);
        raster->cell_x = raster->cell_y = 1.0;
        return GULLY_OK;
    }
    georeference->known = true;
    OGRSpatialReferenceH projection = GDALGetSpatialRef(dataset); // the dataset's own
    if (projection != NULL) {
        georeference->geographic = OSRIsGeographic(projection) != 0;
        georeference->projection = projection_text(projection);
    }
    return measure_cells(path, projection, raster);
}

// ---- the values ----

/// How a number in the file becomes a value.
typedef struct Meaning {
    GDALDataType
        buffer;    ///< the type that holds every number of the file: double, or 64-bit integer
    bool is_float; ///< the file has 32-bit floats
    bool is_signed_byte; ///< the file has signed bytes, which GDAL < 3.7 reads as unsigned
    int has_nodata;
    double nodata;
    int64_t nodata_signed;
    uint64_t nodata_unsigned;
    double scale, offset;
} Meaning;

/// A number as it was read, all eight bytes wide.
typedef union Number {
    double real;
    int64_t integer;
    uint64_t natural;
} Number;

static Meaning find_meaning(GDALRasterBandH band, const double* scale, const double* offset) {
    GDALDataType type = GDALGetRasterDataType(band);
    const char* pixel = GDALGetMetadataItem(band, "PIXELTYPE", "IMAGE_STRUCTURE");
    Meaning m = {.buffer = GDT_Float64, .is_float = type == GDT_Float32};
    m.is_signed_byte = type == GDT_Byte && pixel != NULL && EQUAL(pixel, "SIGNEDBYTE");
    if (type == GDT_Int64 || type == GDT_UInt64) m.buffer = type;
    if (type == GDT_Int64)
        m.nodata_signed = GDALGetRasterNoDataValueAsInt64(band, &m.has_nodata);
    else if (type == GDT_UInt64)
        m.nodata_unsigned = GDALGetRasterNoDataValueAsUInt64(band, &m.has_nodata);
    else
        m.nodata = GDALGetRasterNoDataValue(band, &m.has_nodata);
    int given;
    m.scale = GDALGetRasterScale(band, &given);
    if (!given) m.scale = 1.0;
    m.offset = GDALGetRasterOffset(band, &given);
    if (!given) m.offset = 0.0;
    if (scale != NULL) m.scale = *scale;
    if (offset != NULL) m.offset = *offset;
    return m;
}

/// The value of a number of the file; NaN if it has none. Nodata is compared in the file's own
/// type.
static float value_of(const Meaning* m, Number number) {
    double stored;
    bool nodata;
    if (m->buffer == GDT_Int64) {
        stored = (double)number.integer;
        nodata = number.integer == m->nodata_signed;
    } else if (m->buffer == GDT_UInt64) {
        stored = (double)number.natural;
        nodata = number.natural == m->nodata_unsigned;
    } else {
        stored = number.real;
        if (m->is_signed_byte && stored > 127.0) stored -= 256.0;
        nodata = m->is_float ? (float)stored == (float)m->nodata : stored == m->nodata;
    }
    if (nodata && m->has_nodata) return NAN;
    // As it is where nothing is asked for: -0 + 0 would be +0.
    if (m->scale != 1.0 || m->offset != 0.0) stored = stored * m->scale + m->offset;
    float value = (float)stored;
    return isfinite(value) ? value : NAN;
}

/// The band's mask if it says more than its nodata value does, else NULL. Alpha is opacity: no
/// mask.
static GDALRasterBandH find_mask(GDALRasterBandH band) {
    int flags = GDALGetMaskFlags(band);
    if (flags == GMF_NODATA || (flags & (GMF_ALL_VALID | GMF_ALPHA)) != 0) return NULL;
    return GDALGetMaskBand(band);
}

/// Rows to read at once: whole blocks, about a million cells.
static int rows_at_once(GDALRasterBandH band, int width, int height) {
    enum { CELLS = 1 << 20 };
    int block_width, block_height;
    GDALGetBlockSize(band, &block_width, &block_height);
    int rows = CELLS / width;
    if (rows > block_height) rows -= rows % block_height;
    if (rows < block_height && block_height <= 16 * (CELLS / width)) rows = block_height;
    if (rows < 1) rows = 1;
    return rows < height ? rows : height;
}

/// Reads all rows into `raster->values` through buffers of `rows` rows. False when GDAL fails.
static bool read_rows(GDALRasterBandH band, const Meaning* meaning, int rows, Number* numbers,
                      unsigned char* mask, GullyRaster* raster) {
    GDALRasterBandH mask_band = find_mask(band);
    int width = raster->width;
    for (int y = 0; y < raster->height; y += rows) {
        if (rows > raster->height - y) rows = raster->height - y;
        if (GDALRasterIO(band, GF_Read, 0, y, width, rows, numbers, width, rows, meaning->buffer, 0,
                         0) != CE_None)
            return false;
        if (mask_band != NULL && GDALRasterIO(mask_band, GF_Read, 0, y, width, rows, mask, width,
                                              rows, GDT_Byte, 0, 0) != CE_None)
            return false;
        float* values = raster->values + (size_t)y * (size_t)width;
        size_t count = (size_t)rows * (size_t)width;
        for (size_t i = 0; i < count; ++i)
            values[i] = mask_band != NULL && mask[i] == 0 ? NAN : value_of(meaning, numbers[i]);
    }
    return true;
}

static GullyStatus read_values(const char* path, GDALRasterBandH band, const Meaning* meaning,
                               const Complaints* complaints, GullyRaster* raster) {
    int rows = rows_at_once(band, raster->width, raster->height);
    size_t chunk = (size_t)rows * (size_t)raster->width;
    Number* numbers = malloc(chunk * sizeof *numbers);
    unsigned char* mask = malloc(chunk);
    raster->values = malloc((size_t)raster->width * (size_t)raster->height * sizeof(float));
    GullyStatus status = GULLY_OK;
    if (numbers == NULL || mask == NULL || raster->values == NULL)
        status = gully_fail(GULLY_FAILED, "%s: not enough memory for %d x %d cells", path,
                            raster->width, raster->height);
    else if (!read_rows(band, meaning, rows, numbers, mask, raster))
        status = gully_fail(GULLY_BAD_INPUT, "%s: is damaged or cut short: %s", path,
                            complaints->failures > 0 ? complaints->first : "GDAL cannot read it");
    free(numbers);
    free(mask);
    return status;
}

// ---- reading ----

/// Why GDAL did not open the file.
static GullyStatus explain_unopened(const char* path, const Complaints* complaints) {
    struct stat info;
    if (stat(path, &info) != 0)
        return gully_fail(GULLY_BAD_INPUT, "%s: %s", path,
                          errno == ENOENT ? "no such file" : strerror(errno));
    if (S_ISDIR(info.st_mode))
        return gully_fail(GULLY_BAD_INPUT, "%s: is a folder, not a raster", path);
    if (access(path, R_OK) != 0)
        return gully_fail(GULLY_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (info.st_size == 0) return gully_fail(GULLY_BAD_INPUT, "%s: is an empty file", path);
    if (complaints->failures > 0)
        return gully_fail(GULLY_BAD_INPUT, "%s: is not a raster that can be read: %s", path,
                          complaints->first);
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: is not a raster (GeoTIFF, ESRI ASCII, PNG, HGT or any other that GDAL "
                      "reads)",
                      path);
}

static GullyStatus open_dataset(const char* path, const Complaints* complaints, GDALDatasetH* out) {
    struct stat info;
    // GDAL would wait at a pipe for ever, and cannot seek in it.
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return gully_fail(GULLY_BAD_INPUT, "%s: is a pipe or a device, not a raster file", path);
    *out = GDALOpenEx(path, GDAL_OF_READONLY | GDAL_OF_RASTER, NULL, NULL, NULL);
    return *out != NULL ? GULLY_OK : explain_unopened(path, complaints);
}

static GullyStatus check_shape(const char* path, GDALDatasetH dataset) {
    if (GDALGetRasterCount(dataset) < 1) {
        char** parts = GDALGetMetadata(dataset, "SUBDATASETS");
        const char* part = CSLFetchNameValue(parts, "SUBDATASET_1_NAME");
        return gully_fail(GULLY_BAD_INPUT, "%s: has no band%s%s", path,
                          part != NULL ? "; it holds several rasters, name one of them: " : "",
                          part != NULL ? part : "");
    }
    GDALDataType type = GDALGetRasterDataType(GDALGetRasterBand(dataset, 1));
    if (GDALDataTypeIsComplex(type))
        return gully_fail(GULLY_BAD_INPUT, "%s: its numbers are complex (%s); must be real", path,
                          GDALGetDataTypeName(type));
    int width = GDALGetRasterXSize(dataset), height = GDALGetRasterYSize(dataset);
    if (width < 1 || height < 1 || width > INT_MAX / height)
        return gully_fail(GULLY_BAD_INPUT, "%s: has %d x %d cells; must be 1 to %d in all", path,
                          width, height, INT_MAX);
    return GULLY_OK;
}

static GullyStatus read_dataset(const char* path, GDALDatasetH dataset, const double* scale,
                                const double* offset, const Complaints* complaints,
                                GullyRaster* out) {
    GullyStatus status = check_shape(path, dataset);
    if (status != GULLY_OK) return status;
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    Meaning meaning = find_meaning(band, scale, offset);
    out->width = GDALGetRasterXSize(dataset);
    out->height = GDALGetRasterYSize(dataset);
    const char* type =
        meaning.is_signed_byte ? "Int8" : GDALGetDataTypeName(GDALGetRasterDataType(band));
    snprintf(out->driver, sizeof out->driver, "%s",
             GDALGetDriverShortName(GDALGetDatasetDriver(dataset)));
    snprintf(out->type, sizeof out->type, "%s", type);
    status = read_georeference(path, dataset, out);
    if (status != GULLY_OK) return status;
    return read_values(path, band, &meaning, complaints, out);
}

GullyStatus gully_raster_read(const char* path, const double* scale, const double* offset,
                              GullyRaster* out) {
    assert(path != NULL && out != NULL);
    *out = (GullyRaster){0};
    Complaints complaints;
    gdal_enter(&complaints);
    GDALDatasetH dataset;
    GullyStatus status = open_dataset(path, &complaints, &dataset);
    if (status == GULLY_OK) {
        status = read_dataset(path, dataset, scale, offset, &complaints, out);
        GDALClose(dataset);
    }
    gdal_leave();
    if (status != GULLY_OK) gully_raster_free(out);
    return status;
}

void gully_raster_free(GullyRaster* raster) {
    if (raster == NULL) return;
    free(raster->values);
    free(raster->georeference.projection);
    *raster = (GullyRaster){0};
}

GullyGeoreference gully_georeference_plain(int height, double cell_x, double cell_y) {
    return (GullyGeoreference){.transform = {0.0, cell_x, 0.0, height * cell_y, 0.0, -cell_y}};
}

// ---- writing ----

/// Forbids (or allows again) the .aux.xml files that GDAL puts beside a raster.
static void side_files_forbid(bool forbid) {
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", forbid ? "NO" : NULL);
}

static bool set_projection(GDALDatasetH dataset, const char* text) {
    OGRSpatialReferenceH projection = OSRNewSpatialReference(NULL);
    OSRSetAxisMappingStrategy(projection, OAMS_TRADITIONAL_GIS_ORDER);
    char* rest = (char*)text; // GDAL moves the pointer and leaves the text
    bool done = OSRImportFromWkt(projection, &rest) == OGRERR_NONE &&
                GDALSetSpatialRef(dataset, projection) == CE_None;
    OSRDestroySpatialReference(projection);
    return done;
}

/// Writes the values strip by strip, past GDAL's cache of blocks: all threads share that one, so a
/// file could be written, and its failure be told, by a thread that writes another.
static bool write_strips(GDALRasterBandH band, const GullyRaster* raster) {
    int width, rows;
    GDALGetBlockSize(band, &width, &rows);
    assert(width == raster->width);
    float* last = calloc((size_t)rows * (size_t)width, sizeof *last); // in full, as GDAL wants it
    bool done = last != NULL;
    for (int y = 0; y < raster->height && done; y += rows) {
        float* strip = raster->values + (size_t)y * (size_t)width;
        if (raster->height - y < rows) {
            memcpy(last, strip, (size_t)(raster->height - y) * (size_t)width * sizeof *last);
            strip = last;
        }
        done = GDALWriteBlock(band, 0, y / rows, strip) == CE_None;
    }
    free(last);
    return done;
}

static bool tiff_fill(GDALDatasetH dataset, const GullyRaster* raster) {
    double transform[6];
    memcpy(transform, raster->georeference.transform, sizeof transform);
    const char* projection = raster->georeference.projection;
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    return GDALSetGeoTransform(dataset, transform) == CE_None &&
           (projection == NULL || set_projection(dataset, projection)) &&
           GDALSetRasterNoDataValue(band, NAN) == CE_None && write_strips(band, raster);
}

static bool tiff_create(const char* path, const GullyRaster* raster) {
    char* options[] = {"COMPRESS=NONE", "BIGTIFF=IF_SAFER", NULL};
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), path, raster->width,
                                      raster->height, 1, GDT_Float32, options);
    if (dataset == NULL) return false;
    bool done = tiff_fill(dataset, raster);
    GDALFlushCache(dataset);
    GDALClose(dataset); // returns nothing: what goes wrong here is in the complaints only
    return done;
}

static long long block_item(GDALRasterBandH band, const char* what, int x, int y) {
    char name[64];
    snprintf(name, sizeof name, "%s_%d_%d", what, x, y);
    const char* text = GDALGetMetadataItem(band, name, "TIFF");
    return text != NULL ? atoll(text) : -1;
}

/// The size that a TIFF must have for all its blocks to be in it, from its own directory.
/// -1 if the directory cannot be read or a block has no place.
static long long tiff_extent(const char* path, const GullyRaster* raster) {
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_READONLY | GDAL_OF_RASTER, NULL, NULL, NULL);
    if (dataset == NULL) return -1;
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    int width, height;
    GDALGetBlockSize(band, &width, &height);
    long long extent = 0, bytes = 0;
    for (int y = 0; y * (long long)height < raster->height && extent >= 0; ++y)
        for (int x = 0; x * (long long)width < raster->width && extent >= 0; ++x) {
            long long offset = block_item(band, "BLOCK_OFFSET", x, y);
            long long size = block_item(band, "BLOCK_SIZE", x, y);
            bytes += size;
            if (offset <= 0 || size <= 0)
                extent = -1;
            else if (offset + size > extent)
                extent = offset + size;
        }
    GDALClose(dataset);
    bool whole = bytes >= 4LL * raster->width * raster->height;
    return whole ? extent : -1;
}

/// Brings the file to the disk and checks its size; returns 0 or an errno.
static int file_check(const char* path, long long extent) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return errno;
    struct stat info;
    int error = gully_descriptor_sync(descriptor);
    if (error == 0 && fstat(descriptor, &info) != 0) error = errno;
    if (error == 0 && info.st_size < extent) error = EIO;
    close(descriptor);
    return error;
}

/// Why a file of that size could not be written: GDAL does not pass the system's reason on, so ask
/// for the room once more. 0 if there is room now.
static int file_reason(const char* path, long long size) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return errno;
    int error = posix_fallocate(descriptor, 0, (off_t)size);
    close(descriptor);
    return error;
}

GullyStatus gully_raster_write(const char* path, const GullyRaster* raster) {
    assert(path != NULL && raster != NULL && raster->values != NULL);
    assert(raster->width > 0 && raster->height > 0);
    GullyStagedFile staged;
    int descriptor;
    GullyStatus status = gully_staged_begin(path, &staged, &descriptor);
    if (status != GULLY_OK) return status;
    close(descriptor); // GDAL opens it by its name

    Complaints complaints;
    gdal_enter(&complaints);
    side_files_forbid(true);
    bool done = tiff_create(staged.temporary, raster) && complaints.failures == 0;
    long long extent = done ? tiff_extent(staged.temporary, raster) : -1;
    side_files_forbid(false);
    gdal_leave();

    int error = extent > 0 ? file_check(staged.temporary, extent) : 0;
    if (extent > 0 && error == 0) return gully_staged_keep(&staged);
    // More than the header ever takes, so that a disk with just not enough room is seen.
    long long size = 4LL * raster->width * raster->height + 65536;
    int reason = file_reason(staged.temporary, size);
    if (reason != 0) error = reason;
    gully_staged_drop(&staged);
    return gully_fail(GULLY_FAILED, "%s: cannot be written: %s", path,
                      error != 0                ? strerror(error)
                      : complaints.failures > 0 ? complaints.first
                                                : "the file did not become whole");
}

/// Makes a PNG in GDAL's memory at `name`.
static bool png_create(const char* name, int width, int height, const unsigned char* rgb) {
    GDALDatasetH picture =
        GDALCreate(GDALGetDriverByName("MEM"), "", width, height, 3, GDT_Byte, NULL);
    if (picture == NULL) return false;
    GDALDatasetH png = NULL;
    if (GDALDatasetRasterIO(picture, GF_Write, 0, 0, width, height, (void*)rgb, width, height,
                            GDT_Byte, 3, NULL, 3, 3 * width, 1) == CE_None)
        png = GDALCreateCopy(GDALGetDriverByName("PNG"), name, picture, FALSE, NULL, NULL, NULL);
    GDALClose(picture);
    if (png != NULL) GDALClose(png);
    return png != NULL;
}

/// Takes the bytes of a file in GDAL's memory, which then is gone. NULL without memory.
static void* memory_file_take(const char* name, size_t* size) {
    vsi_l_offset length = 0;
    GByte* held = VSIGetMemFileBuffer(name, &length, TRUE);
    void* bytes = held != NULL ? malloc((size_t)length) : NULL;
    if (bytes != NULL) memcpy(bytes, held, (size_t)length);
    *size = (size_t)length;
    VSIFree(held);
    return bytes;
}

GullyStatus gully_picture_encode(int width, int height, const unsigned char* rgb, void** bytes,
                                 size_t* size) {
    assert(rgb != NULL && width > 0 && height > 0 && width <= INT_MAX / 3);
    static atomic_uint counter;
    char name[64];
    snprintf(name, sizeof name, "/vsimem/gully-%u.png", atomic_fetch_add(&counter, 1));

    *bytes = NULL;
    Complaints complaints;
    gdal_enter(&complaints);
    side_files_forbid(true);
    if (png_create(name, width, height, rgb) && complaints.failures == 0)
        *bytes = memory_file_take(name, size);
    else
        VSIUnlink(name);
    side_files_forbid(false);
    gdal_leave();

    if (*bytes != NULL) return GULLY_OK;
    return gully_fail(GULLY_FAILED, "a picture of %d x %d pixels cannot be made: %s", width, height,
                      complaints.failures > 0 ? complaints.first : "not enough memory");
}

GullyStatus gully_picture_write(const char* path, int width, int height, const unsigned char* rgb) {
    assert(path != NULL);
    void* bytes;
    size_t size;
    GullyStatus status = gully_picture_encode(width, height, rgb, &bytes, &size);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", path);
    status = gully_file_write(path, bytes, size);
    free(bytes);
    return status;
}
