/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes pictures as PNG files, uncompressed. */
#ifndef PNG_H
#define PNG_H

#include <stdio.h>

/* rgb has three bytes for each pixel, row by row from the top. Returns 0, or -1 with errno set. */
int png_write(FILE *file, int width, int height, const unsigned char *rgb);

#endif
