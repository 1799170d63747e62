/* SPDX-License-Identifier: BSD-3-Clause */
/* Input and output of the heat programs: the plate that is described in a text file, the answer. */
#ifndef PLATE_H
#define PLATE_H

/* Where the plate starts, and what stays beyond its edges. */
#define PLATE_START 0.2

/*
 * A plate as it stands in its file, one character for each square: '.' may take any temperature, a
 * digit is held at that many ninths.
 */
struct plate {
    int width, height;
    char *squares; /* row by row */
};

/* Reads a file into memory from malloc; prints what is wrong and returns -1, or returns 0. */
int plate_read(const char *path, struct plate *plate);

/* The temperature that a square starts with, and the share of a difference that it takes on. */
double plate_temperature(char square);
double plate_rate(char square);

/*
 * Writes STEM.png, a picture, and STEM.field, the temperatures themselves. Prints what is wrong and
 * returns -1, or returns 0.
 */
int plate_write(const char *stem, int width, int height, const double *field);

#endif
