// SPDX-License-Identifier: MIT
// Noise: octaves of it, and the fractals built from them.
//
// Everything is a function of (seed, octave, lattice point) through an integer hash, computed in
// double with + - * / and sqrt alone: the same bits on every machine and with every compiler.
// Lengths are in units of the size of the largest features.
#ifndef GULLY_NOISE_H
#define GULLY_NOISE_H

#include <stdint.h>

// Halving a feature this often leaves nothing of it, even on the largest terrain.
#define NOISE_MAX_OCTAVES 32

// A value and its slope along x and y.
typedef struct Noise {
    double value;
    double dx, dy;
} Noise;

typedef struct Vector {
    double x, y;
} Vector;

// One octave: its own hash on its own lattice, turned and shifted against those of the others.
typedef struct Octave {
    uint64_t key;
    double frequency;        // lattice cells per unit: 2^o
    double cosine, sine;     // of the lattice's turn
    double shift_x, shift_y; // [lattice cells]
} Octave;

typedef struct Fractal {
    int count;
    Octave octaves[NOISE_MAX_OCTAVES];
} Fractal;

Fractal noise_fractal(uint64_t seed, int octaves);

// Gradient noise: mean 0, within -0.71..0.71, standard deviation NOISE_DEVIATION.
Noise noise_gradient(const Octave* octave, double x, double y);
#define NOISE_DEVIATION 0.2158

// Ridges and valleys, -1..1, that run along (along_x, along_y), a unit vector. The slope leaves out
// how the ridges fade into each other.
Noise noise_ridges(const Octave* octave, double x, double y, double along_x, double along_y);

// Fractional Brownian motion: gradient noise, each octave with half the weight of the one before;
// mean 0, standard deviation 1.
double noise_fbm(const Fractal* fractal, double x, double y);

// The same of the first few octaves.
double noise_coarse(const Fractal* fractal, int octaves, double x, double y);

// A vector that turns at random from place to place: of length 1 at lattice points, shorter between
// them.
Vector noise_vector(const Octave* octave, double x, double y);

// sin(2 pi turns) within 1e-5.
double noise_sine(double turns);

#endif
