precision highp float;

in vec3 position; // a triangle over the whole screen
uniform mat4 uBack; // from the screen to directions
out vec3 vLook;

void main() {
    vLook = (uBack * vec4(position.xy, 1.0, 1.0)).xyz;
    gl_Position = vec4(position.xy, 1.0, 1.0);
}
