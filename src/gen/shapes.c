// SPDX-License-Identifier: MIT
// What shapes share.
#include "shapes.h"

#include <math.h>

Framed framed(const Canvas* canvas, double x, double y) {
    double half = 0.5 * (canvas->width < canvas->height ? canvas->width : canvas->height);
    return (Framed){(x - 0.5 * canvas->width) / half, (y - 0.5 * canvas->height) / half, half};
}

double smooth_step(double low, double high, double value) {
    double t = (value - low) / (high - low);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

double smooth_max(double a, double b, double rounding) {
    return 0.5 * (a + b + sqrt((a - b) * (a - b) + rounding * rounding));
}

double mix(double a, double b, double share) {
    return a + share * (b - a);
}

Noise with_slope(const Canvas* canvas, Shape* base, double x, double y) {
    const double step = 1e-4;
    double here = base(canvas, x, y);
    return (Noise){here, (base(canvas, x + step, y) - here) / step,
                   (base(canvas, x, y + step) - here) / step};
}
