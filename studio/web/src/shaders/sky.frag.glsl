precision highp float;
precision highp int;

// What is behind the land: the sky, and the pale table that the block stands on, which becomes the sky far away.
in vec3 vLook;
uniform vec3 uEye;
uniform vec2 uBlock;
uniform vec2 uSize;
uniform vec2 uEnd;     // of the block [m]: less than the size where it is cut

out vec4 color;

#include light

void main() {
    vec3 look = normalize(vLook);
    if (look.y > -1e-4 || uEye.y < uBlock.x) {
        color = vec4(expose(skyColor(look)), 1.0);
        return;
    }
    float away = (uBlock.x - uEye.y) / look.y;
    vec2 place = uEye.xz + away * look.xz;
    vec2 middle = 0.5 * uEnd;
    vec2 beside = max(abs(place - middle) - middle, 0.0);
    float apart = length(beside);
    // Beside the block, not on it: the map is coarse.
    vec2 cell = 1.0 / (uLightArea.zw * vec2(textureSize(uLight, 0)));
    vec2 light = daylight(place + 1.5 * cell * sign(place - middle) * step(1e-3, beside));
    // Outside the map of the light nothing is in shadow.
    vec2 in_ = (place - uLightArea.xy) * uLightArea.zw;
    float inside = smoothstep(0.0, 0.06, min(min(in_.x, in_.y), min(1.0 - in_.x, 1.0 - in_.y)));
    light = mix(vec2(1.0), light, inside);
    vec3 around = mix(uSkylight, vec3(0.72, 0.68, 0.62), 0.5);
    vec3 lit = around * (0.25 + 0.75 * light.g) + uSunlight * (light.r * uSun.y);
    if (apart <= 0.0) lit *= 0.2; // under the block
    vec3 table = vec3(0.40, 0.40, 0.39) * lit;
    vec3 far = skyColor(normalize(vec3(look.x, 0.0, look.z)));
    float size = length(uSize);
    float fade = 1.0 - exp(-apart * apart / (0.8 * size * size));
    color = vec4(expose(mix(table, far, fade)), 1.0);
}
