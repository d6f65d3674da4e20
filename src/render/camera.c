// SPDX-License-Identifier: MIT
#include "camera.h"

enum { CORNERS = 8 };

static void block_corners(const Land* land, Vec corners[CORNERS]) {
    double width = (land->width - 1) * land->cell_x, height = (land->height - 1) * land->cell_y;
    // The summits are seldom at the corners.
    double low = (double)(land->exaggerate * land->scenery->low);
    double top = low + 0.7 * ((double)(land->exaggerate * land->scenery->high) - low);
    for (int i = 0; i < CORNERS; i++)
        corners[i] = (Vec){i & 1 ? width : 0, i & 2 ? height : 0, i & 4 ? top : land->base};
}

/// The distance from a target at which all corners are in the picture [m].
static double fitting_distance(const Camera* camera, const Vec* corners, Vec target) {
    const double margin = 0.94;
    double distance = 0;
    for (int i = 0; i < CORNERS; i++) {
        Vec p = vec_add(corners[i], target, -1);
        double nearer = -vec_dot(p, camera->forward);
        double aside = fabs(vec_dot(p, camera->right)) / (margin * camera->wide);
        double above = fabs(vec_dot(p, camera->up)) / (margin * camera->high);
        distance = fmax(distance, fmax(aside, above) + nearer);
    }
    return distance;
}

/// How far the picture of the block is off the middle [m], to the right (x) and up (y).
static Vec off_center(const Camera* camera, const Vec* corners, Vec target, double distance) {
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < CORNERS; i++) {
        Vec p = vec_add(corners[i], target, -1);
        double away = distance + vec_dot(p, camera->forward);
        double x = vec_dot(p, camera->right) / away, y = vec_dot(p, camera->up) / away;
        left = fmin(left, x);
        right = fmax(right, x);
        low = fmin(low, y);
        high = fmax(high, y);
    }
    return (Vec){0.5 * (left + right) * distance, 0.5 * (low + high) * distance, 0};
}

/// Not under the ground, nor so near to it that one sees nothing else.
static void keep_above(const Land* land, Camera* camera) {
    double x = camera->at.x / land->cell_x, y = camera->at.y / land->cell_y;
    double lowest = land->base + 1e-3 * camera->distance;
    if (x >= 0 && y >= 0 && x <= land->width - 1 && y <= land->height - 1) {
        double ground = (double)place_value(land, land->surface, land_place(land, x, y));
        double room = 0.01 * (land->width * land->cell_x + land->height * land->cell_y);
        if (!isnan(ground)) lowest = ground + room;
    }
    camera->at.z = fmax(camera->at.z, lowest);
}

Camera camera_create(const Land* land, const GullyRenderDef* def) {
    const double degree = 3.14159265358979323846 / 180;
    Camera camera = {.high = tan(0.5 * def->field_of_view * degree)};
    camera.wide = camera.high * def->width / def->height;
    Vec back = vec_compass(def->azimuth, def->elevation);
    Vec level = vec_compass(def->azimuth, 0);
    camera.forward = vec_add((Vec){0, 0, 0}, back, -1);
    camera.right = vec_cross((Vec){0, 0, 1}, vec_add((Vec){0, 0, 0}, level, -1));
    camera.up = vec_cross(camera.forward, camera.right);

    Vec corners[CORNERS];
    block_corners(land, corners);
    Vec target = vec_add(corners[0], corners[CORNERS - 1], 1);
    target = (Vec){target.x / 2, target.y / 2, target.z / 2};
    double distance = fitting_distance(&camera, corners, target);
    for (int i = 0; i < 6; i++) {
        Vec off = off_center(&camera, corners, target, distance);
        target = vec_add(vec_add(target, camera.right, off.x), camera.up, off.y);
        distance = fitting_distance(&camera, corners, target);
    }
    camera.distance = def->distance * distance;
    camera.at = vec_add(target, back, camera.distance);
    keep_above(land, &camera);
    return camera;
}

Vec camera_direction(const Camera* camera, double x, double y) {
    Vec direction = vec_add(camera->forward, camera->right, x * camera->wide);
    return vec_unit(vec_add(direction, camera->up, -y * camera->high));
}
