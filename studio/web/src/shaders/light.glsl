// Sun, sky and air, the same for land, water and table; as in src/render/sky.c of the engine.
uniform vec3 uSun;       // towards it, unit
uniform vec3 uSunlight;
uniform vec3 uSkylight;
uniform vec3 uHorizon;
uniform vec3 uZenith;
uniform float uHaze;     // [1/m]
uniform float uClear;    // [m], distance up to which the air is clear
uniform float uExposure; // 1 = as a camera would choose in daylight
uniform sampler2D uLight; // r: share of the sun, g: share of the sky that is seen, b: height
uniform vec2 uLightSpan;  // heights that b stands for at 0 and 1 [m], exaggerated
uniform vec4 uLightArea; // x, z of its corner, 1 / its size [m]

vec3 skyColor(vec3 direction) {
    float up = clamp(direction.y, 0.0, 1.0);
    vec3 color = mix(uHorizon, uZenith, pow(up, 0.55));
    float nearSun = max(dot(direction, uSun), 0.0);
    float near2 = nearSun * nearSun;
    float near8 = near2 * near2 * near2 * near2;
    return color + uSunlight * (0.06 * near2 + 0.10 * near8);
}

// What the air adds in a direction, and the share of what is behind it that it hides.
vec4 airBetween(vec3 direction, float away) {
    float share = 1.0 - exp(-uHaze * max(away - uClear, 0.0));
    return vec4(0.9 * skyColor(normalize(vec3(direction.x, 0.02, direction.z))), share);
}

vec2 daylight(vec2 place) {
    return textureLod(uLight, (place - uLightArea.xy) * uLightArea.zw, 0.0).rg;
}

// Film: highlights roll off; then the screen's curve, from square roots, which are quicker than powers.
vec3 expose(vec3 light) {
    vec3 x = 0.46 * uExposure * light;
    x = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
    vec3 root2 = sqrt(x), root4 = sqrt(root2), root8 = sqrt(root4);
    return max(0.585122381 * root2 + 0.783140355 * root4 - 0.368262736 * root8, 0.0);
}

float ramp(float value, float low, float high) {
    return smoothstep(low, high, value);
}
