/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads plates; writes temperatures as numbers and as a picture. */
#include "plate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png.h"

int plate_read(const char *path, struct plate *plate)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    memset(plate, 0, sizeof *plate);
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return -1;
    }
    while (getline(&line, &room, file) > 0) {
        int width = (int)strcspn(line, "\r\n");
        int valid = (int)strspn(line, ".0123456789");

        if (plate->height == 0)
            plate->width = width;
        if (width == 0 || width != plate->width || valid != width) {
            fprintf(stderr, "%s:%d: expected '.' and digits, as many as in the first line\n", path,
                    plate->height + 1);
            plate->height = 0;
            break;
        }
        plate->squares = realloc(plate->squares, (size_t)(plate->height + 1) * (size_t)width);
        if (!plate->squares)
            abort();
        memcpy(plate->squares + plate->height * width, line, (size_t)width);
        plate->height++;
    }
    free(line);
    fclose(file);
    return plate->height > 0 ? 0 : -1;
}

double plate_temperature(char square)
{
    return square == '.' ? PLATE_START : (square - '0') / 9.0;
}

double plate_rate(char square)
{
    return square == '.' ? 0.25 : 0.0;
}

/* Black through purple and orange to a pale yellow: brightness grows evenly with the temperature.
 */
static void colour(double t, unsigned char rgb[3])
{
    static const unsigned char scale[][3] = {
        {4, 6, 28},    {22, 20, 82},   {66, 22, 118},  {120, 28, 109},  {174, 40, 90},
        {218, 70, 56}, {243, 120, 25}, {252, 178, 48}, {250, 226, 120}, {255, 252, 214},
    };
    int last = sizeof scale / sizeof *scale - 1;
    double at = t < 0 ? 0 : t > 1 ? last : t * last;
    int low = at < last ? (int)at : last - 1;

    for (int i = 0; i < 3; i++)
        rgb[i] =
            (unsigned char)(scale[low][i] + (at - low) * (scale[low + 1][i] - scale[low][i]) + 0.5);
}

int plate_write(const char *stem, int width, int height, const double *field)
{
    size_t cells = (size_t)width * (size_t)height;
    unsigned char *rgb = malloc(3 * cells);
    char path[4096];
    FILE *file;
    int status = -1;

    if (!rgb)
        abort();
    for (size_t i = 0; i < cells; i++)
        colour(field[i], rgb + 3 * i);

    snprintf(path, sizeof path, "%s.png", stem);
    file = fopen(path, "wb");
    if (!file || png_write(file, width, height, rgb) != 0)
        goto out;
    if (fclose(file) != 0) {
        file = NULL;
        goto out;
    }
    snprintf(path, sizeof path, "%s.field", stem);
    file = fopen(path, "wb");
    if (!file || fwrite(field, sizeof *field, cells, file) != cells)
        goto out;
    status = fclose(file);
    file = NULL;
out:
    if (status != 0)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    if (file)
        fclose(file);
    free(rgb);
    return status;
}
