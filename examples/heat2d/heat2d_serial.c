/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat that spreads in a plate, on one core in plain C: the answer that heat2d must give, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plate.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(int width, int height, const double *rate, const double *restrict old,
                    double *restrict new)
{
    int stride = width + 2;

    for (int y = 1; y <= height; y++) {
        for (int x = 1; x <= width; x++) {
            int i = y * stride + x;

            new[i] = old[i] + rate[i] * (old[i - stride] + old[i + stride] + old[i - 1] +
                                         old[i + 1] - 4 * old[i]);
        }
    }
}

int main(int argc, char **argv)
{
    struct plate plate;
    int steps = argc > 3 ? atoi(argv[3]) : 3000;
    int fine = argc > 4 ? atoi(argv[4]) : 4;

    if (argc < 3 || steps < 1 || fine < 1) {
        fprintf(stderr, "usage: %s plate.txt output-stem [steps [cells-per-square]]\n", argv[0]);
        return 2;
    }
    if (plate_read(argv[1], &plate) != 0)
        return 1;

    /* A frame of one cell around the plate keeps the starting temperature. */
    int width = plate.width * fine, height = plate.height * fine, stride = width + 2;
    size_t cells = (size_t)stride * (size_t)(height + 2);
    double *old = malloc(cells * sizeof *old), *new = malloc(cells * sizeof *new);
    double *rate = calloc(cells, sizeof *rate);

    if (!old || !new || !rate)
        abort();
    for (size_t i = 0; i < cells; i++)
        old[i] = PLATE_START;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            char square = plate.squares[y / fine * plate.width + x / fine];

            old[(y + 1) * stride + x + 1] = plate_temperature(square);
            rate[(y + 1) * stride + x + 1] = plate_rate(square);
        }
    }
    memcpy(new, old, cells * sizeof *old);

    double start = now();

    for (int step = 1; step <= steps; step++) {
        double *swap = old;

        compute(width, height, rate, old, new);
        old = new;
        new = swap;
    }
    printf("serial: %d x %d cells, %d steps in %.2f s\n", width, height, steps, now() - start);

    /* Without the frame. */
    for (int y = 0; y < height; y++)
        memmove(old + y * width, old + (y + 1) * stride + 1, (size_t)width * sizeof *old);
    return plate_write(argv[2], width, height, old) == 0 ? 0 : 1;
}
