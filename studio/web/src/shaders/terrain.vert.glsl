precision highp float;
precision highp int;
precision highp sampler2DArray;

in vec3 position;  // place in the tile 0..64, and the side of a skirt: 0 none, 1 west, 2 east, 3 north,
                   // 4 south; negative at its upper end
in vec4 tile;      // slot, cells between samples, first cell x, y
#ifdef DIFFERENCE
in float past;     // slot of the tile as it was; -1 = none
#endif
in vec4 edges;     // samples between vertices of the neighbours, if coarser: west, east, north, south

uniform sampler2DArray uShape;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec4 uWorld;   // cell size x, y [m]; last cell of the block along x, y: of the world, or where it is cut
uniform vec2 uBlock;   // height of the block's foot, exaggeration
uniform vec3 uEye;
uniform vec2 uSize;
uniform float uSea;    // level of the sea [m]; far below all land = none
uniform float uPixel;  // size of a pixel at distance 1

out vec3 vPlace;    // [m]
out vec3 vSample;   // where in the textures
out vec3 vDown;     // how far below the surface [m], on a skirt at the world's side; its normal's x and z
out float vHole;
#ifdef DIFFERENCE
flat out float vPast;
#endif
#ifdef SEA
out float vSea;      // how deep the surface lies below the sea [m]
#endif
out float vFine;     // level of detail of the noise
out vec4 vAir;      // what the air adds, and its share

#include light

const float OUTSIDE = -1e8;

void main() {
    float spacing = tile.y;
    vec2 at = position.xy;
    // A border vertex that a coarser neighbour does not have falls onto one that it has.
    if (at.x == 0.0) at.y = floor(at.y / edges.x) * edges.x;
    if (at.x == 64.0) at.y = floor(at.y / edges.y) * edges.y;
    if (at.y == 0.0) at.x = floor(at.x / edges.z) * edges.z;
    if (at.y == 64.0) at.x = floor(at.x / edges.w) * edges.w;

    // Where the block is cut its side stands between samples; nothing is drawn of a tile beyond.
    vec2 end = (uWorld.zw - tile.zw) / spacing;
    if ((end.x <= 0.0 && tile.z > 0.0) || (end.y <= 0.0 && tile.w > 0.0)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    at = min(at, end);
    vec2 part = fract(at);
    ivec3 first = ivec3(ivec2(at), int(tile.x));
    vec2 shape = texelFetch(uShape, first, 0).rg;
    if (part.x > 0.0 || part.y > 0.0) {
        ivec3 east = part.x > 0.0 ? ivec3(1, 0, 0) : ivec3(0), south = part.y > 0.0 ? ivec3(0, 1, 0) : ivec3(0);
        vec2 north = mix(shape, texelFetch(uShape, first + east, 0).rg, part.x);
        shape = mix(north, mix(texelFetch(uShape, first + south, 0).rg, texelFetch(uShape, first + east + south, 0).rg, part.x), part.y);
    }
    vec2 cell = min(tile.zw + at * spacing, uWorld.zw);
    vHole = shape.r < OUTSIDE ? 1.0 : 0.0;
    float ground = vHole > 0.0 ? uBlock.x : shape.r * uBlock.y;
    float height = ground + shape.g * uBlock.y;
#ifdef SEA
    vSea = vHole > 0.0 ? 0.0 : uSea - shape.r - shape.g;
    height = vSea > 0.0 ? uSea * uBlock.y : height;
#endif

#ifdef DIFFERENCE
    vPast = past;
#endif
    vDown = vec3(0.0);
    float side = abs(position.z);
    if (side > 0.5) {
        bvec4 is = equal(vec4(floor(side + 0.5)), vec4(1, 2, 3, 4));
        bvec4 outer = bvec4(cell.x <= 0.0, cell.x >= uWorld.z, cell.y <= 0.0, cell.y >= uWorld.w);
        bool wall = (is.x && outer.x) || (is.y && outer.y) || (is.z && outer.z) || (is.w && outer.w);
        bool bottom = position.z > 0.0;
        if (wall) {
            vDown.yz = is.x ? vec2(-1, 0) : is.y ? vec2(1, 0) : is.z ? vec2(0, -1) : vec2(0, 1);
            if (bottom) {
                vDown.x = height - uBlock.x;
                height = uBlock.x;
            }
        } else if (bottom) {
            height -= spacing * max(uWorld.x, uWorld.y) * 2.0;
        }
    }
    vPlace = vec3(cell.x * uWorld.x, height, cell.y * uWorld.y);
    vSample = vec3((at + 0.5) / 65.0, tile.x);
    vec3 look = vPlace - uEye;
    float away = length(look);
    vAir = airBetween(look / away, away);
    vFine = max(log2(11.0 * 256.0 * uPixel * away / max(uSize.x, uSize.y)) + 0.5, 0.0);
    gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}
