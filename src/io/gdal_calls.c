// SPDX-License-Identifier: MIT
#include "gdal_calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <ogr_srs_api.h>

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

void gdal_enter(Complaints* complaints) {
    static pthread_once_t registered = PTHREAD_ONCE_INIT;
    *complaints = (Complaints){0};
    CPLPushErrorHandlerEx(complain, complaints);
    pthread_once(&registered, GDALAllRegister);
}

void gdal_leave(void) {
    CPLPopErrorHandler();
    CPLErrorReset();
}

void gdal_side_files_forbid(bool forbid) {
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", forbid ? "NO" : NULL);
}

bool gdal_set_projection(GDALDatasetH dataset, const char* text) {
    OGRSpatialReferenceH projection = OSRNewSpatialReference(NULL);
    OSRSetAxisMappingStrategy(projection, OAMS_TRADITIONAL_GIS_ORDER);
    char* rest = (char*)text; // GDAL moves the pointer and leaves the text
    bool done = OSRImportFromWkt(projection, &rest) == OGRERR_NONE &&
                GDALSetSpatialRef(dataset, projection) == CE_None;
    OSRDestroySpatialReference(projection);
    return done;
}

bool gdal_describe(GDALRasterBandH band, const GullyRaster* raster) {
    if (raster->name[0] != '\0') GDALSetDescription(band, raster->name);
    const char* unit = raster->unit;
    const char* source;
    if (*unit == '\0' && gdal_height_unit(GDALGetBandDataset(band), &source) > 0.0) unit = "m";
    return *unit == '\0' || GDALSetRasterUnitType(band, unit) == CE_None;
}

void gdal_memory_name(const char* extension, char* name, size_t size) {
    static atomic_uint counter;
    snprintf(name, size, "/vsimem/gully-%u.%s", atomic_fetch_add(&counter, 1), extension);
}

void* gdal_memory_take(const char* name, size_t* size) {
    vsi_l_offset length = 0;
    GByte* held = VSIGetMemFileBuffer(name, &length, TRUE);
    void* bytes = held != NULL ? malloc((size_t)length) : NULL;
    if (bytes != NULL) memcpy(bytes, held, (size_t)length);
    *size = (size_t)length;
    VSIFree(held);
    return bytes;
}
