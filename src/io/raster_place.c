// SPDX-License-Identifier: MIT
// Where a raster lies, and how large its cells are on the ground.

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cpl_conv.h>
#include <ogr_srs_api.h>

#include "gdal_calls.h"
#include "notes.h"
#include "raster_files.h"
#include "sidecar.h"
#include "units.h"

static const double PI = 3.14159265358979323846;

// ---- the size of a cell ----

/// The ellipsoid that distances are measured on: half its long axis [m], and how flat it is [1].
typedef struct Ellipsoid {
    double a, f;
} Ellipsoid;

/// WGS84 for every projection of the earth, whose ellipsoids differ by less than heights do; else
/// that of the projection, of the Moon or Mars.
static Ellipsoid ellipsoid_of(OGRSpatialReferenceH projection) {
    const Ellipsoid earth = {6378137.0, 1.0 / 298.257223563};
    OGRErr failed = OGRERR_NONE;
    double a = OSRGetSemiMajor(projection, &failed);
    if (failed != OGRERR_NONE || !(a > 0.0) || fabs(a - earth.a) < 0.02 * earth.a) return earth;
    double inverse = OSRGetInvFlattening(projection, &failed); // 0 of a sphere
    return (Ellipsoid){a, failed == OGRERR_NONE && inverse > 1.0 ? 1.0 / inverse : 0.0};
}

/// Metres per radian at a latitude.
///   M = a (1 - e2) / (1 - e2 sin2 lat)^(3/2)   along the meridian
///   N cos lat, N = a / sqrt(1 - e2 sin2 lat)   along the parallel
static void metres_per_radian(Ellipsoid on, double latitude, double* east, double* north) {
    double e2 = on.f * (2.0 - on.f);
    double s = sin(latitude);
    double w2 = 1.0 - e2 * s * s;
    *north = on.a * (1.0 - e2) / (w2 * sqrt(w2));
    *east = on.a / sqrt(w2) * cos(latitude);
}

static bool is_mercator(OGRSpatialReferenceH projection) {
    const char* name = OSRGetAttrValue(projection, "PROJECTION", 0);
    return name != NULL &&
           (strncasecmp(name, "Mercator", 8) == 0 || //
            strstr(name, "Pseudo_Mercator") != NULL || strstr(name, "Pseudo Mercator") != NULL);
}

/// Longitude and latitude [rad] of points `x`, `y` of a projection. False where it has none.
static bool to_radians(OGRSpatialReferenceH projection, int count, double* x, double* y) {
    OGRSpatialReferenceH degrees = OSRCloneGeogCS(projection);
    if (degrees == NULL) return false;
    OSRSetAxisMappingStrategy(degrees, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH way = OCTNewCoordinateTransformation(projection, degrees);
    bool done = way != NULL && OCTTransform(way, count, x, y, NULL);
    double unit = OSRGetAngularUnits(degrees, NULL);
    for (int i = 0; i < count; ++i) {
        x[i] *= unit;
        y[i] *= unit;
        done = done && isfinite(x[i]) && fabs(y[i]) < 0.5 * PI;
    }
    if (way != NULL) OCTDestroyCoordinateTransformation(way);
    OSRDestroySpatialReference(degrees);
    return done;
}

/// Longitude and latitude [rad] of the ends of the cell in the middle: west and east, north and
/// south, and of its own middle.
typedef struct MiddleCell {
    double x[5], y[5];
} MiddleCell;

static bool find_middle(OGRSpatialReferenceH projection, const GullyRaster* raster,
                        MiddleCell* out) {
    const double* t = raster->georeference.transform;
    double column = 0.5 * raster->width, row = 0.5 * raster->height;
    const double at[5][2] = {{-0.5, 0.0}, {0.5, 0.0}, {0.0, -0.5}, {0.0, 0.5}, {0.0, 0.0}};
    for (int i = 0; i < 5; ++i) {
        out->x[i] = t[0] + (column + at[i][0]) * t[1] + (row + at[i][1]) * t[2];
        out->y[i] = t[3] + (column + at[i][0]) * t[4] + (row + at[i][1]) * t[5];
    }
    return to_radians(projection, 5, out->x, out->y);
}

/// A Mercator map is larger than the ground, the more so the further it is from the equator: 1.47
/// times at 47 degrees. Sets the cells to what the one in the middle is on the ground.
static void measure_mercator(Ellipsoid on, const MiddleCell* cell, GullyRaster* raster) {
    const double *x = cell->x, *y = cell->y;
    double east, north;
    metres_per_radian(on, y[4], &east, &north);
    double map_x = raster->cell_x, map_y = raster->cell_y;
    raster->cell_x = hypot(remainder(x[1] - x[0], 2.0 * PI) * east, (y[1] - y[0]) * north);
    raster->cell_y = hypot(remainder(x[3] - x[2], 2.0 * PI) * east, (y[3] - y[2]) * north);
    raster_note(raster,
                "a Mercator map: cells of %g x %g m on it are %g x %g m on the ground at latitude "
                "%.2f, its middle",
                map_x, map_y, raster->cell_x, raster->cell_y, y[4] * (180.0 / PI));
}

/// The straight way between two ends of a cell [m], also across a pole.
static double straight(Ellipsoid on, const MiddleCell* cell, int from, int to) {
    const int ends[2] = {from, to};
    double at[2][3], e2 = on.f * (2.0 - on.f);
    for (int i = 0; i < 2; ++i) {
        double longitude = cell->x[ends[i]], latitude = cell->y[ends[i]], s = sin(latitude);
        double n = on.a / sqrt(1.0 - e2 * s * s);
        at[i][0] = n * cos(latitude) * cos(longitude);
        at[i][1] = n * cos(latitude) * sin(longitude);
        at[i][2] = n * (1.0 - e2) * s;
    }
    return hypot(hypot(at[1][0] - at[0][0], at[1][1] - at[0][1]), at[1][2] - at[0][2]);
}

/// Other maps have the lengths of the ground where they are meant for. One that is off by more than
/// a twentieth, as cylinders of degrees (Plate Carree) are far from the equator, is measured too.
static void measure_others(Ellipsoid on, const MiddleCell* cell, GullyRaster* raster) {
    double cell_x = straight(on, cell, 0, 1), cell_y = straight(on, cell, 2, 3);
    double map_x = raster->cell_x, map_y = raster->cell_y;
    double off = fmax(fabs(cell_x / map_x - 1.0), fabs(cell_y / map_y - 1.0));
    if (!(off > 0.05 && cell_x > 0.0 && cell_y > 0.0)) return;
    raster->cell_x = cell_x;
    raster->cell_y = cell_y;
    raster_note(raster,
                "a map without the lengths of the ground: cells of %g x %g m on it are %g x %g m "
                "there at latitude %.2f, its middle",
                map_x, map_y, cell_x, cell_y, cell->y[4] * (180.0 / PI));
}

static void measure_ground(OGRSpatialReferenceH projection, GullyRaster* raster) {
    MiddleCell cell;
    if (!find_middle(projection, raster, &cell)) return;
    if (is_mercator(projection))
        measure_mercator(ellipsoid_of(projection), &cell, raster);
    else
        measure_others(ellipsoid_of(projection), &cell, raster);
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
        double degrees = latitude * (180.0 / PI);
        if (!(fabs(degrees) < 90.0))
            return gully_fail(GULLY_BAD_INPUT,
                              "%s: its centre is at latitude %g degrees; "
                              "a geographic raster must have it between -90 and 90",
                              path, degrees);
        metres_per_radian(ellipsoid_of(projection), latitude, &east, &north);
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
    GullyStatus status = raster_check_angle(path, east, north, raster);
    if (status == GULLY_OK && projection != NULL && !raster->georeference.geographic)
        measure_ground(projection, raster);
    return status;
}

// ---- the place ----

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

GullyStatus gdal_georeference_read(const char* path, GDALDatasetH dataset, GullyRaster* raster) {
    GullyGeoreference* georeference = &raster->georeference;
    if (GDALGetGeoTransform(dataset, georeference->transform) != CE_None ||
        !transform_is_usable(georeference->transform)) {
        *georeference = gully_georeference_plain(raster->height, 1.0, 1.0);
        raster->cell_x = raster->cell_y = 1.0;
        return GULLY_OK;
    }
    georeference->known = true;
    raster_note_directions(raster);
    OGRSpatialReferenceH projection = GDALGetSpatialRef(dataset); // the dataset's own
    if (projection != NULL) {
        georeference->geographic = OSRIsGeographic(projection) != 0;
        georeference->projection = projection_text(projection);
    }
    return measure_cells(path, projection, raster);
}

double gdal_height_unit(GDALDatasetH dataset, const char** source) {
    OGRSpatialReferenceH projection = GDALGetSpatialRef(dataset);
    if (projection == NULL) return 0.0;
    if (OSRIsCompound(projection) || OSRIsVertical(projection)) {
        *source = "the unit of its vertical coordinate system";
        double unit = OSRGetTargetLinearUnits(projection, "VERT_CS", NULL);
        return isfinite(unit) && unit > 0.0 ? unit : 0.0;
    }
    *source = NULL;
    if (OSRIsGeographic(projection)) return 0.0;
    double unit = OSRGetLinearUnits(projection, NULL);
    return unit_is_foot(unit) ? unit : 0.0;
}

void gdal_vertical_drop(GullyRaster* raster) {
    OGRSpatialReferenceH projection = OSRNewSpatialReference(NULL);
    char* rest = raster->georeference.projection; // GDAL moves the pointer and leaves the text
    if (rest != NULL && OSRImportFromWkt(projection, &rest) == OGRERR_NONE &&
        OSRIsCompound(projection) && OSRStripVertical(projection) == OGRERR_NONE) {
        char* text = projection_text(projection);
        if (text != NULL) {
            free(raster->georeference.projection);
            raster->georeference.projection = text;
        }
    }
    OSRDestroySpatialReference(projection);
}

GullyStatus raster_measure_cells(const char* path, GullyRaster* raster) {
    GullyGeoreference* georeference = &raster->georeference;
    Complaints complaints;
    gdal_enter(&complaints);
    OGRSpatialReferenceH projection = NULL;
    if (georeference->projection != NULL) {
        projection = OSRNewSpatialReference(NULL);
        OSRSetAxisMappingStrategy(projection, OAMS_TRADITIONAL_GIS_ORDER);
        char* rest = georeference->projection; // GDAL moves the pointer and leaves the text
        if (OSRImportFromWkt(projection, &rest) != OGRERR_NONE) {
            OSRDestroySpatialReference(projection);
            projection = NULL;
        }
    }
    georeference->geographic = projection != NULL && OSRIsGeographic(projection);
    GullyStatus status = measure_cells(path, projection, raster);
    if (projection != NULL) OSRDestroySpatialReference(projection);
    gdal_leave();
    return status;
}
