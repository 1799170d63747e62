/* SPDX-License-Identifier: BSD-3-Clause */
/* The least that makes a PNG file: one IDAT chunk of stored, that is uncompressed, blocks. */
#include "png.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65535u /* the most that a stored block holds */

static void put32(unsigned char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> (24 - 8 * i));
}

static uint32_t crc32(const unsigned char *data, size_t bytes)
{
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < bytes; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static uint32_t adler32(const unsigned char *data, size_t bytes)
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < bytes; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* A chunk is its length, its type and data, and a checksum of the latter two. */
static int write_chunk(FILE *file, const char *type, const unsigned char *data, size_t bytes)
{
    unsigned char *chunk = malloc(bytes + 12);
    size_t written;

    if (!chunk)
        return -1;
    put32(chunk, (uint32_t)bytes);
    memcpy(chunk + 4, type, 4);
    memcpy(chunk + 8, data, bytes);
    put32(chunk + 8 + bytes, crc32(chunk + 4, bytes + 4));
    written = fwrite(chunk, 1, bytes + 12, file);
    free(chunk);
    return written == bytes + 12 ? 0 : -1;
}

/* The zlib form of the data: header, stored blocks, checksum. */
static unsigned char *store(const unsigned char *data, size_t bytes, size_t *stored)
{
    unsigned char *out = malloc(bytes + (bytes / BLOCK + 1) * 5 + 6), *p = out;

    if (!out)
        return NULL;
    *p++ = 0x78;
    *p++ = 0x01;
    for (size_t done = 0; done < bytes;) {
        size_t n = bytes - done < BLOCK ? bytes - done : BLOCK;

        *p++ = done + n == bytes;
        *p++ = (unsigned char)n;
        *p++ = (unsigned char)(n >> 8);
        *p++ = (unsigned char)~n;
        *p++ = (unsigned char)(~n >> 8);
        memcpy(p, data + done, n);
        p += n;
        done += n;
    }
    put32(p, adler32(data, bytes));
    *stored = (size_t)(p + 4 - out);
    return out;
}

int png_write(FILE *file, int width, int height, const unsigned char *rgb)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    size_t row = 3 * (size_t)width, bytes = (row + 1) * (size_t)height, stored;
    unsigned char header[13] = {[8] = 8, [9] = 2}; /* eight bits of red, green and blue each */
    unsigned char *rows = malloc(bytes), *zlib;
    int status = -1;

    if (!rows)
        return -1;
    for (int y = 0; y < height; y++) {
        rows[(size_t)y * (row + 1)] = 0; /* no filter */
        memcpy(rows + (size_t)y * (row + 1) + 1, rgb + (size_t)y * row, row);
    }
    zlib = store(rows, bytes, &stored);
    put32(header, (uint32_t)width);
    put32(header + 4, (uint32_t)height);
    if (zlib && fwrite(signature, sizeof signature, 1, file) == 1 &&
        write_chunk(file, "IHDR", header, sizeof header) == 0 &&
        write_chunk(file, "IDAT", zlib, stored) == 0)
        status = write_chunk(file, "IEND", header, 0);
    free(zlib);
    free(rows);
    return status;
}
