precision highp float;
precision highp int;
precision highp sampler2DArray;

in vec3 vPlace;
in vec3 vSample;
in vec3 vDown;
in float vHole;
#ifdef DIFFERENCE
flat in float vPast;
#endif
#ifdef SEA
in float vSea;
#else
const float vSea = 0.0;
#endif
#ifdef RICH
const bool rich = true; // a renderer that has the time
#else
const bool rich = false;
#endif
in vec4 vAir;
in float vFine;

uniform sampler2DArray uSkin, uTraces, uMotion, uPaint;
#ifdef DIFFERENCE
uniform sampler2DArray uShape, uWas; // ground [m] as it is and as it was
uniform float uDifference;   // what counts as a large change of the ground [m]
#endif
uniform sampler2D uNoise;    // smooth noise: r large bumps, g others, 0.5 = none; repeats
uniform sampler2D uBelts;    // by height: plants and soil below, layers of rock above; square roots of light
uniform vec3 uRock, uDarkRock, uSoil, uGravel, uMeadow, uSnow, uShallow, uDeep; // the palette (gully/render.h)
uniform vec4 uPalette;       // moist, river, bare, gravelled
uniform vec3 uLayers;        // how much of the layers shows, whether there are any; where snow begins, of the relief
uniform vec2 uTrees;         // the tree line: its share of the relief here, and in the palette
uniform sampler2D uSides;    // depth of the layers' lower ends along the sides of the block [m]: 8 rows for each side
uniform int uSideLayers;     // how many
uniform vec3 uMaterials[8];  // their colours, the bedrock first
uniform vec4 uScaleGround;   // lowest, relief, steep, 1 / exaggeration
uniform vec4 uScaleWater;    // water, lake, sediment: what counts as much (src/render/measure.c); flow: 1 / its code
uniform vec2 uScaleTraces;   // deposit, wear
uniform vec3 uMost;          // water, sediment, ground: what the byte 255 stands for
uniform vec2 uBlock;
uniform float uFastest;
uniform vec2 uSize;          // of the world [m]
uniform int uView;           // 0 natural, 1 Mei, 2 flow, 3 wear, 4 slope, 5 hardness, 6 difference
uniform float uGrid;         // opacity of the tile grid
uniform float uTime;         // [s], for the shimmer
uniform vec4 uRing;          // brush: x, z, radius, inner radius [m]; radius 0 = none
uniform vec3 uRingColor;
uniform vec4 uRect;          // selection or stamp: centre, half size [m]; 0 = none
uniform vec2 uRectTurn;      // cosine and sine of its angle
uniform bool uOver;          // there is something to draw over it
uniform vec3 uEye;

out vec4 color;

#include light

float amount(float code, float most) {
    float square = code * code;
    return most * square * square;
}

float opacity(float thickness, float half_) {
    float t = thickness / half_;
    return t / (1.0 + t);
}
float opacity2(float thickness, float half_) {
    float t = thickness / half_;
    return t * t / (1.0 + t * t);
}

vec3 beltColor(float height, float row) {
    vec3 root = textureLod(uBelts, vec2(clamp(height, 0.002, 0.998), row), 0.0).rgb;
    return root * root;
}

// A share of the relief as the palette's plants see it: the tree line is where the user wants it.
float plantHeight(float height) {
    return height < uTrees.x ? height * uTrees.y / uTrees.x
                             : uTrees.y + (height - uTrees.x) * (1.0 - uTrees.y) / (1.0 - uTrees.x);
}

// Rock where it is steep, plants where it is not, soil and gravel where water was at work, snow on what is high and not
// too steep: src/render/drape.c.
vec3 naturalColor(float high, float steepness, float rough, float fine, float flow, float wear, float left) {
    float level = (high - uScaleGround.x) / uScaleGround.y;
    float height = level + 0.07 * rough, plants = plantHeight(height);
    vec3 ground = beltColor(plants, 0.25) * (1.0 + 0.22 * fine);
    ground = mix(ground, uMeadow, uPalette.x * ramp(flow, 0.23, 0.56) * (1.0 - ramp(plants, 0.5, 0.8)));
    ground = mix(ground, uSoil, 0.45 * opacity2(wear, uScaleTraces.y));
    float steep = steepness / uScaleGround.z + 0.25 * rough + 0.12 * fine;
    vec3 rock = mix(uRock, uDarkRock, clamp(0.5 + 0.6 * fine, 0.0, 1.0));
    float bare = steep;
#ifdef LAYERS
    {
        vec3 layer = beltColor(level + 0.012 * rough, 0.75) * (1.0 + 0.1 * fine);
        ground = mix(ground, layer, uLayers.x);
        rock = mix(layer, rock, 0.15);
    }
#else
    bare += 0.5 * ramp(plants, 0.5, 1.0);
#endif
    ground = mix(ground, rock, ramp(bare, uPalette.z, uPalette.z + 0.53));
    ground = mix(ground, uGravel, uPalette.w * opacity2(left, uScaleTraces.x));
    float river = uPalette.y * ramp(flow, 0.75, 0.957) * (1.0 - ramp(steepness, 0.12, 0.4));
    ground = mix(ground, mix(uShallow, uDeep, 0.35), river);
    float white = ramp(height + 0.05 * fine, uLayers.z, uLayers.z + 0.08) * (1.0 - ramp(steep, 0.85, 1.25));
    return mix(ground, uSnow, 0.95 * white);
}

vec3 slopeColor(float steepness, float fine) {
    float degrees_ = atan(steepness) * 57.29578;
    vec3 gentle = mix(linear(0x3f8f4f), linear(0xe8d24a), ramp(degrees_, 2.0, 25.0));
    return mix(gentle, linear(0xb3261e), ramp(degrees_, 20.0, 50.0)) * (1.0 + 0.08 * fine);
}

#ifdef DIFFERENCE
float groundAt(sampler2DArray tiles, float slot) {
    vec2 at = clamp(vSample.xy * 65.0 - 0.5, 0.0, 63.999);
    ivec3 i = ivec3(ivec2(at), int(slot + 0.5));
    vec2 f = fract(at);
    float a = texelFetch(tiles, i, 0).r, b = texelFetch(tiles, i + ivec3(1, 0, 0), 0).r;
    float c = texelFetch(tiles, i + ivec3(0, 1, 0), 0).r, d = texelFetch(tiles, i + ivec3(1, 1, 0), 0).r;
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}

// What went is red, what came is blue; the root of the share, so that little is seen too. panels/compare.ts has the legend.
vec3 differenceColor() {
    if (vPast < 0.0) return linear(0xb9b4aa);
    float change = groundAt(uShape, vSample.z) - groundAt(uWas, vPast);
    float share = sqrt(clamp(abs(change) / uDifference, 0.0, 1.0));
    vec3 none = linear(0xe6e1d6);
    vec3 some = change < 0.0 ? linear(0xe2803c) : linear(0x4f9bd0);
    vec3 much = change < 0.0 ? linear(0x7d1410) : linear(0x0e2f6e);
    return share < 0.5 ? mix(none, some, 2.0 * share) : mix(some, much, 2.0 * share - 1.0);
}
#endif

// The earth in the block's sides, without materials: the palette's layers, or some that look like it.
vec3 stratumColor(vec3 at, float down) {
    float relief = max(uScaleGround.y / uScaleGround.w, 0.02 * uSize.x);
    float along = (at.x + at.z) / (uSize.x + uSize.y);
    float level = at.y / relief + 0.06 * (texture(uNoise, vec2(along, 0.13)).r - 0.5);
    float thin = 2.0 * texture(uNoise, vec2(0.4 * along, 3.1 * level)).g - 1.0;
#ifdef LAYERS
    float height = (at.y * uScaleGround.w - uScaleGround.x) / uScaleGround.y;
    return beltColor(height < 0.0 ? fract(-0.7 * height) : height, 0.75) * (0.9 + 0.1 * thin);
#endif
    float thick = 2.0 * texture(uNoise, vec2(0.15 * along, 0.55 * level)).r - 1.0;
    vec3 pale = mix(uRock, linear(0x9c8666), 0.6), dark = mix(uDarkRock, linear(0x6b5a49), 0.6);
    vec3 earth = mix(dark, pale, clamp(0.5 + 0.9 * thick, 0.0, 1.0)) * (1.0 + 0.22 * thin);
    float soil = 1.0 - ramp(down, 0.012 * relief, 0.03 * relief);
    return mix(earth, linear(0x453627), 0.8 * soil);
}

#ifdef MATERIALS
// What the land is made of, so far below its surface [m]: its true layers.
vec3 layerColor(vec3 at, float depth) {
    int side = vDown.y < -0.5 ? 0 : vDown.y > 0.5 ? 1 : vDown.z < -0.5 ? 2 : 3;
    float samples = float(textureSize(uSides, 0).x - 1);
    float place = samples * (side < 2 ? at.z / uSize.y : at.x / uSize.x);
    int first = int(clamp(place, 0.0, samples - 1.0));
    float thin = 2.0 * texture(uNoise, vec2(2.0 * (at.x + at.z), 9.0 * at.y) / (uSize.x + uSize.y)).g - 1.0;
    for (int m = 0; m < uSideLayers; m++) {
        float a = texelFetch(uSides, ivec2(first, 8 * side + m), 0).r;
        float b = texelFetch(uSides, ivec2(first + 1, 8 * side + m), 0).r;
        if (depth < mix(a, b, place - float(first))) return uMaterials[uSideLayers - m] * (1.0 + 0.08 * thin);
    }
    return uMaterials[0] * (0.8 + 0.14 * thin);
}
#endif

vec3 sideColor() {
    vec3 normal = normalize(vec3(vDown.y, 0.0, vDown.z));
    float below = vDown.x * uScaleGround.w;  // [m] below the surface, be it of water
    float water = amount(textureLod(uSkin, vSample, 0.0).b, uMost.x) + max(vSea, 0.0);
    bool wet = water > 0.02 * uScaleWater.x && below < water;
#ifdef MATERIALS
    vec3 earth = layerColor(vPlace, below - water);
#else
    vec3 earth = stratumColor(vPlace, vDown.x - water / uScaleGround.w);
#endif
    if (wet) earth = mix(uShallow, uDeep, opacity(below, uScaleWater.y)) * 1.2;
    float open = 0.7 + 0.5 * clamp((vPlace.y - uBlock.x) / (0.06 * uSize.x), 0.0, 1.0);
    return earth * (uSunlight * (0.7 * max(dot(normal, uSun), 0.0) + 0.16 * uSun.y) + uSkylight * open);
}

// Ripples of a size that travel with the water: two phases of the same pattern, each carried on for a while and faded out
// before it is stretched too far.
vec2 ripplesOf(float size, vec2 place, vec2 velocity) {
    vec2 carried = velocity * (0.7 * size / max(length(velocity), 0.6));
    float phase = fract(uTime * 0.5), other = fract(uTime * 0.5 + 0.5);
    vec2 a = textureLod(uNoise, (place - carried * phase) / (8.0 * size), 0.0).rg - 0.5;
    if (!rich) return 2.0 * a;
    vec2 b = textureLod(uNoise, (place - carried * other) / (8.0 * size) + 0.37, 0.0).rg - 0.5;
    return 2.0 * mix(a, b, abs(2.0 * phase - 1.0));
}

// As large as can be seen from where the eye is: from one size to its double as it goes away.
vec2 ripples(vec2 place, vec2 velocity) {
    float level = floor(vFine), size = 0.0035 * (uSize.x + uSize.y) * exp2(level);
    vec2 small = ripplesOf(size, place, velocity);
    return rich ? mix(small, ripplesOf(2.0 * size, place, velocity), vFine - level) : small;
}

#ifdef RICH
// The land that water mirrors, from the coarse map of the light; else the sky.
vec3 mirrored(vec3 at, vec3 direction) {
    vec3 sky = skyColor(direction);
    float step_ = 0.003 * (uSize.x + uSize.y), away = 0.5 * step_, cover = 0.0;
    vec3 seen = sky;
    for (int k = 0; k < 16 && cover < 0.99; k++) {
        vec3 place = at + away * direction;
        vec3 map = textureLod(uLight, (place.xz - uLightArea.xy) * uLightArea.zw, 0.0).rgb;
        float land = mix(uLightSpan.x, uLightSpan.y, map.b);
        float hides = clamp((land - place.y) / step_ - 0.1, 0.0, 1.0); // by how much it stands out: the map is coarse
        if (hides > cover) {
            float height = (land * uScaleGround.w - uScaleGround.x) / uScaleGround.y;
#ifdef MATERIALS
            vec3 ground = uMaterials[uSideLayers];
#else
            vec3 ground = mix(beltColor(plantHeight(height), 0.25), uRock, 0.35);
#endif
            ground = mix(ground, uSnow, ramp(height, uLayers.z, uLayers.z + 0.08));
            vec3 lit = ground * (uSunlight * (0.5 * map.r * uSun.y + 0.12 * map.r) + uSkylight * map.g);
            seen = mix(mix(lit, sky, 1.0 - exp(-uHaze * away)), seen, cover / hides);
            cover = hides;
        }
        away += step_;
        step_ *= 1.28;
    }
    return mix(sky, seen, cover);
}
#else
vec3 mirrored(vec3 at, vec3 direction) {
    return skyColor(direction);
}
#endif

vec3 waterColor(vec3 ground, vec3 normal, vec3 look, float depth, float sediment, vec2 light) {
    float t = depth / uScaleWater.x;
    float cover = t * t * t * t / (1.0 + t * t * t * t);
    vec3 wet = ground * (1.0 - 0.35 * opacity2(depth, 0.5 * uScaleWater.x));
    if (cover < 0.02) return wet;
    float calm = opacity(depth, uScaleWater.x);
    vec2 velocity = (textureLod(uMotion, vSample, 0.0).rg * 255.0 - 128.0) * (uFastest / 127.0);
    float speed = length(velocity);
    vec2 bump = ripples(vPlace.xz, velocity) * calm * (0.25 + 0.35 * min(speed / 2.0, 1.0));
    vec3 n = normalize(normal + vec3(bump.x, 0.0, bump.y));
    vec3 lit = uSunlight * light.r * max(dot(n, uSun), 0.0) + uSkylight * light.g;

    float deep = opacity(depth, uScaleWater.y);
    // Light on its way through the water, which is longer at a flat angle once it is bent.
#ifdef RICH
    float slant = 1.0 / sqrt(1.0 - 0.56 * (1.0 - look.y * look.y));
    float thick = 0.35 + 0.65 * (1.0 - exp(-1.6 * slant * depth / uScaleWater.y));
#else
    float thick = 0.35 + 0.65 * opacity(depth, 0.45 * uScaleWater.y);
#endif
    vec3 body = mix(uShallow, uDeep, deep);
    float load = opacity(sediment, uScaleWater.z);
    body = uView == 1 ? mix(body, linear(0x2e963e), 0.95 * opacity(sediment, 0.5 * uScaleWater.z)) : mix(body, linear(0x8a8a68), 0.35 * load);
    vec3 result = mix(wet, body * lit, thick);

    float facing = max(-dot(n, look), 0.0);
    float rest = 1.0 - facing, rest2 = rest * rest;
    float share = 0.02 + 0.98 * rest2 * rest2 * rest;
    vec3 away = look + 2.0 * facing * n;
    away.y = max(away.y, 0.02);
    away = normalize(away);
    result = mix(result, share > 0.04 ? mirrored(vPlace, away) : skyColor(away), 0.85 * share);
    float glint = max(dot(away, uSun), 0.0);
    result += uSunlight * (1.5 * share + 0.04) * light.r * pow(glint, 180.0);
    // Foam-like sparkle where it runs fast.
    result += uSunlight * 0.05 * light.r * ramp(speed, 0.8, 5.0) * ramp(bump.x + bump.y, 0.02, 0.2);
    return mix(wet, result, cover);
}

vec3 overlay(vec3 below) {
    float pixel = length(fwidth(vPlace.xz)) + 1e-6;
    if (uGrid > 0.0) {
        vec2 at = vSample.xy * 65.0 - 0.5;
        vec2 edge = min(at, 64.0 - at) / max(fwidth(at), vec2(1e-6));
        below = mix(below, vec3(1.0, 0.86, 0.45), uGrid * (1.0 - smoothstep(0.6, 1.6, min(edge.x, edge.y))));
    }
    if (uRing.z > 0.0) {
        float away = distance(vPlace.xz, uRing.xy);
        float line = 1.0 - smoothstep(1.0, 2.2, abs(away - uRing.z) / pixel);
        float inner = 1.0 - smoothstep(0.7, 1.6, abs(away - uRing.w) / pixel);
        float inside = 1.0 - smoothstep(uRing.w, uRing.z, away);
        below = mix(below, uRingColor, 0.10 * inside);
        below = mix(below, uRingColor, 0.95 * line + 0.35 * inner * (1.0 - line));
    }
    if (uRect.z > 0.0) {
        vec2 d = vPlace.xz - uRect.xy;
        d = vec2(d.x * uRectTurn.x + d.y * uRectTurn.y, d.y * uRectTurn.x - d.x * uRectTurn.y);
        vec2 q = abs(d) - uRect.zw;
        float away = max(q.x, q.y);
        float line = 1.0 - smoothstep(1.0, 2.2, abs(away) / pixel);
        float north = (d.y < 0.0 ? 1.0 : 0.0) * (1.0 - smoothstep(0.8, 1.8, abs(d.x) / pixel)) * step(away, 0.0);
        below = mix(below, vec3(0.95, 0.75, 0.25), step(away, 0.0) * 0.12);
        below = mix(below, vec3(1.0, 0.82, 0.35), max(line, 0.6 * north));
    }
    return below;
}

// How much a colour looks like rock or gravel, not like plants or snow: grey, and not bright.
float bareness(vec3 ground) {
    float most = max(ground.r, max(ground.g, ground.b)), least = min(ground.r, min(ground.g, ground.b));
    return (1.0 - ramp((most - least) / max(most, 1e-3), 0.3, 0.6)) * (1.0 - ramp(most, 0.5, 0.8));
}

const float BUMPS = 390.0; // of the size that stand out near the eye: as many as repeat along a side

// Where a look at the plane at `side` meets bumps of a height: in a hollow it goes on, and on a bump it ends before.
vec2 parallax(vec2 side, float high) {
    vec3 look = vPlace - uEye;
    vec2 aside = look.xz / max(-look.y, 0.35 * length(look)); // at a flat angle it would go on too far
    vec2 seen = side, dx = BUMPS * dFdx(side), dy = BUMPS * dFdy(side);
    for (int k = 0; k < 3; k++)
        seen = side + aside * (0.2 * high / BUMPS) * (0.5 - textureGrad(uNoise, BUMPS * seen, dx, dy).r);
    return seen;
}

void main() {
    if (vHole > 0.01) discard;
    vec2 light = daylight(vPlace.xz);

    if (vDown.x > 0.0) { // a side of the block
        color = vec4(expose(mix(sideColor(), vAir.rgb, vAir.a)), 1.0);
        return;
    }

    vec4 skin = textureLod(uSkin, vSample, 0.0);
    vec4 traces = textureLod(uTraces, vSample, 0.0);
    vec2 n = (skin.rg * 255.0 - 128.0) / 127.0;
    if (vSea > 0.0) n = vec2(0.0);
    float nz = sqrt(max(1.0 - dot(n, n), 0.01));
    vec2 slope = n / nz;                       // downhill, as tangents
    float steepness = length(slope);

    vec2 side = vPlace.xz / max(uSize.x, uSize.y);
    vec2 fineNoise = 2.0 * textureLod(uNoise, 11.0 * side, vFine).rg - 1.0;
    float fine = fineNoise.x;
    float rough = rich ? 2.0 * texture(uNoise, 1.5 * side).r - 1.0 : 0.7 * fineNoise.y;

    float depth = amount(skin.b, uMost.x) + max(vSea, 0.0);
    float wear = amount(traces.g, uMost.z);
    float left = amount(traces.b, uMost.z);
    float flow = traces.r * uScaleWater.w; // fourth root of its share of a large river's

    vec3 ground;
    if (uView == 4) {
        ground = slopeColor(steepness, fine);
    } else {
#ifdef MATERIALS
        ground = pow(textureLod(uPaint, vSample, 0.0).rgb, vec3(2.2)) * (1.0 + 0.16 * fine);
#else
        ground = naturalColor(vPlace.y * uScaleGround.w - max(vSea, 0.0), steepness, rough, fine, flow, wear, left);
#endif
        if (uView > 0) ground = mix(ground, linear(0xa39c90), 0.85);
        if (uView == 1) ground = mix(ground, linear(0xc83020), 0.92 * opacity2(left, 0.6 * uScaleTraces.x));
        if (uView == 2) {
            ground = mix(ground, linear(0x1450b8), 0.95 * ramp(flow, 0.3, 1.0));
        }
        if (uView == 3) ground = mix(ground, linear(0xdf8f1e), 0.9 * opacity2(wear, 1.2 * uScaleTraces.y));
#ifdef DIFFERENCE
        ground = differenceColor();
#endif
        if (uView == 5) ground = mix(linear(0xe9e2cf), linear(0x3b2f6b), traces.a);
    }

    // Bumps finer than the cells, which the heights do not have.
    vec2 bumps = fineNoise;
    if (rich) { // near the eye: what is far is evened out by the levels of the texture
        float wall = ramp(steepness, 0.45, 1.1);
        vec2 seen = parallax(side, mix(0.1, 1.0, max(wall, bareness(ground)))), dx = dFdx(side), dy = dFdy(side);
        vec2 near = texture(uNoise, 67.0 * side).gr - 0.5;
        vec2 nearer = textureGrad(uNoise, BUMPS * seen, BUMPS * dx, BUMPS * dy).rg - 0.5;
        vec2 grain = textureGrad(uNoise, 2100.0 * seen.yx, 2100.0 * dx.yx, 2100.0 * dy.yx).rg - 0.5;
        // Walls have ledges: noise along and up, flat as beds of rock are.
        vec2 upright = vec2(dot(side, normalize(vec2(-slope.y, slope.x) + 1e-6)), 3.0 * vPlace.y / max(uSize.x, uSize.y));
        vec2 ledge = texture(uNoise, 60.0 * upright).rg + 0.6 * texture(uNoise, 300.0 * upright).gr - 0.8;
        bumps += mix(2.0 * near + 2.4 * nearer + 1.2 * grain, 3.0 * ledge.x * slope / max(steepness, 0.1) + 1.6 * nearer, wall);
        ground *= 1.0 + mix(0.35 * near.x + 0.45 * nearer.y + 0.35 * grain.x, 0.9 * ledge.x + 0.3 * nearer.y, wall);
    }
    slope = slope / uScaleGround.w + (0.05 + 0.20 * min(steepness, 1.5)) * 0.6 * bumps * (1.0 - opacity2(depth, uScaleWater.x));
    vec3 normal = normalize(vec3(slope.x, 1.0, slope.y));
    float facing = max(dot(normal, uSun), 0.0);
    vec3 lit = uSunlight * (light.r * facing) + uSkylight * (light.g * light.g);
    lit += uSunlight * ground * (0.35 * (1.0 - light.g));
    vec3 result = ground * lit;

    if (depth > 0.15 * uScaleWater.x && uView != 2 && uView != 6)
        result = waterColor(result, normalize(vec3(n.x, nz * uScaleGround.w, n.y)), normalize(vPlace - uEye), depth, amount(skin.a, uMost.y), light);

    result = expose(mix(result, vAir.rgb, vAir.a));
    if (uOver) result = overlay(result);
    color = vec4(result, 1.0);
}
