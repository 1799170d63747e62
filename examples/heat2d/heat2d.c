/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat that spreads in a plate: Jacobi steps on a grid that is divided among the PEs in two
 * dimensions. After each step neighbours exchange the edges of their tiles by put with signal, so
 * that a PE waits for nobody but its neighbours.
 */
#include <math.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plate.h"

enum side { WEST, EAST, NORTH, SOUTH, SIDES };

/* The whole grid, in cells, and how many PEs share it in either direction. */
struct grid {
    int width, height;
    int columns, rows;
};

struct tile {
    int x, y, width, height;
};

/*
 * This PE's part. Tiles differ by a cell in size, but arrays must not, for a peer has to know where
 * in them its edges go: all are as large as the largest tile with a frame of one cell.
 */
struct part {
    struct tile tile;
    int stride;
    int neighbour[SIDES]; /* world numbers, -1 at the edges of the plate */
    double *rate;
    /*
     * Symmetric, and twice each: a neighbour can be one step ahead and already send the edges of
     * the next step, but not two, for that it needs ours.
     */
    double *cells[2];
    double *column[2][2]; /* arriving from WEST and EAST, where cells are not contiguous */
};

/* The last step whose edge has arrived from each side; static data is symmetric, too. */
static uint64_t arrived[SIDES];

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends the program on all PEs unless the allocation succeeded. */
static void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        shmem_global_exit(1);
    }
    return memory;
}

/* PE 0 reads the plate, the others get it from there. Returns -1 on all PEs if there is none. */
static int share_plate(const char *path, struct plate *plate)
{
    static int mine[2], size[2];
    char *squares, *copy;
    size_t bytes;

    if (shmem_my_pe() == 0 && plate_read(path, plate) == 0) {
        mine[0] = plate->width;
        mine[1] = plate->height;
    }
    shmem_int_broadcast(SHMEM_TEAM_WORLD, size, mine, 2, 0);
    plate->width = size[0];
    plate->height = size[1];
    bytes = (size_t)size[0] * (size_t)size[1];
    if (bytes == 0)
        return -1;

    squares = checked(shmem_malloc(bytes));
    copy = checked(shmem_malloc(bytes));
    if (shmem_my_pe() == 0) {
        memcpy(squares, plate->squares, bytes);
        free(plate->squares);
    }
    shmem_broadcastmem(SHMEM_TEAM_WORLD, copy, squares, bytes, 0);
    shmem_free(squares);
    plate->squares = copy;
    return 0;
}

/* As many tiles as PEs, with edges as short as possible. */
static void divide(struct grid *grid, int n_pes)
{
    double best = INFINITY;

    for (int columns = 1; columns <= n_pes; columns++) {
        int rows = n_pes / columns;
        double edge = (double)grid->width / columns + (double)grid->height / rows;

        if (rows * columns == n_pes && edge < best) {
            best = edge;
            grid->columns = columns;
            grid->rows = rows;
        }
    }
}

static struct tile tile_of(const struct grid *grid, int pe)
{
    int column = pe % grid->columns, row = pe / grid->columns;
    struct tile tile = {
        .x = column * grid->width / grid->columns,
        .y = row * grid->height / grid->rows,
    };

    tile.width = (column + 1) * grid->width / grid->columns - tile.x;
    tile.height = (row + 1) * grid->height / grid->rows - tile.y;
    return tile;
}

static int member(shmem_team_t team, int pe)
{
    if (pe < 0 || pe >= shmem_team_n_pes(team))
        return -1;
    return shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);
}

/* The teams are the rows and the columns of tiles: neighbours are next to each other in them. */
static void find_neighbours(const struct grid *grid, int neighbour[SIDES])
{
    shmem_team_t row, column;

    if (shmem_team_split_2d(SHMEM_TEAM_WORLD, grid->columns, NULL, 0, &row, NULL, 0, &column) !=
        0) {
        fprintf(stderr, "cannot make teams\n");
        shmem_global_exit(1);
    }
    neighbour[WEST] = member(row, shmem_team_my_pe(row) - 1);
    neighbour[EAST] = member(row, shmem_team_my_pe(row) + 1);
    neighbour[NORTH] = member(column, shmem_team_my_pe(column) - 1);
    neighbour[SOUTH] = member(column, shmem_team_my_pe(column) + 1);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
}

static void set_up(struct part *part, const struct grid *grid, const struct plate *plate, int fine)
{
    int largest_width = (grid->width + grid->columns - 1) / grid->columns;
    int largest_height = (grid->height + grid->rows - 1) / grid->rows;
    size_t cells = (size_t)(largest_width + 2) * (size_t)(largest_height + 2);
    size_t column_bytes = (size_t)largest_height * sizeof(double);

    part->tile = tile_of(grid, shmem_my_pe());
    part->stride = largest_width + 2;
    find_neighbours(grid, part->neighbour);

    part->rate = checked(calloc(cells, sizeof *part->rate));
    for (int parity = 0; parity < 2; parity++) {
        part->cells[parity] = checked(shmem_malloc(cells * sizeof(double)));
        part->column[parity][WEST] = checked(shmem_malloc(column_bytes));
        part->column[parity][EAST] = checked(shmem_malloc(column_bytes));
    }
    for (size_t i = 0; i < cells; i++)
        part->cells[0][i] = PLATE_START;
    /* The frame, too: each PE knows the whole plate at the start. */
    for (int y = -1; y <= part->tile.height; y++) {
        for (int x = -1; x <= part->tile.width; x++) {
            int i = (y + 1) * part->stride + x + 1;
            int plate_x = part->tile.x + x, plate_y = part->tile.y + y;
            char square;

            if (plate_x < 0 || plate_x >= grid->width || plate_y < 0 || plate_y >= grid->height)
                continue;
            square = plate->squares[plate_y / fine * plate->width + plate_x / fine];
            part->cells[0][i] = plate_temperature(square);
            part->rate[i] = plate_rate(square);
        }
    }
    memcpy(part->cells[1], part->cells[0], cells * sizeof(double));
    shmem_barrier_all(); /* nobody sends before all have filled their arrays */
}

static void compute(const struct part *part, const double *restrict old, double *restrict new)
{
    int stride = part->stride;

    for (int y = 1; y <= part->tile.height; y++) {
        for (int x = 1; x <= part->tile.width; x++) {
            int i = y * stride + x;

            new[i] = old[i] + part->rate[i] * (old[i - stride] + old[i + stride] + old[i - 1] +
                                               old[i + 1] - 4 * old[i]);
        }
    }
}

/* Sends the edges of the tile to the frames of the neighbours, and the number of the step along. */
static void send_edges(const struct part *part, const struct grid *grid, int step)
{
    int parity = step % 2, stride = part->stride;
    size_t width = (size_t)part->tile.width, height = (size_t)part->tile.height;
    double *cells = part->cells[parity], packed[height];

    for (int side = WEST; side <= EAST; side++) {
        int from = side == WEST ? 1 : part->tile.width;
        int there = side == WEST ? EAST : WEST; /* what we are to the neighbour */

        if (part->neighbour[side] < 0)
            continue;
        for (size_t y = 0; y < height; y++)
            packed[y] = cells[(int)(y + 1) * stride + from];
        shmem_double_put_signal(part->column[parity][there], packed, height, &arrived[there],
                                (uint64_t)step, SHMEM_SIGNAL_SET, part->neighbour[side]);
    }
    for (int side = NORTH; side <= SOUTH; side++) {
        int from = side == NORTH ? 1 : part->tile.height;
        int there = side == NORTH ? SOUTH : NORTH, to = 0;

        if (part->neighbour[side] < 0)
            continue;
        if (there == SOUTH)
            to = tile_of(grid, part->neighbour[side]).height + 1;
        shmem_double_put_signal(cells + to * stride + 1, cells + from * stride + 1, width,
                                &arrived[there], (uint64_t)step, SHMEM_SIGNAL_SET,
                                part->neighbour[side]);
    }
}

static void receive_edges(const struct part *part, int step)
{
    int parity = step % 2;

    for (int side = 0; side < SIDES; side++) {
        int to = side == WEST ? 0 : part->tile.width + 1;

        if (part->neighbour[side] < 0)
            continue;
        shmem_signal_wait_until(&arrived[side], SHMEM_CMP_GE, (uint64_t)step);
        for (int y = 0; side <= EAST && y < part->tile.height; y++)
            part->cells[parity][(y + 1) * part->stride + to] = part->column[parity][side][y];
    }
}

/* The largest change of any cell of the plate in the last step, on all PEs. */
static double largest_change(const struct part *part)
{
    static double mine, largest;

    mine = 0;
    for (int y = 1; y <= part->tile.height; y++) {
        for (int x = 1; x <= part->tile.width; x++) {
            int i = y * part->stride + x;

            mine = fmax(mine, fabs(part->cells[1][i] - part->cells[0][i]));
        }
    }
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &largest, &mine, 1);
    return largest;
}

/* PE 0 fetches all tiles and writes the result. */
static int write_result(const struct part *part, const struct grid *grid, int steps,
                        const char *stem)
{
    double *field = checked(malloc((size_t)grid->width * (size_t)grid->height * sizeof *field));
    int status;

    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        struct tile tile = tile_of(grid, pe);

        for (int y = 0; y < tile.height; y++)
            shmem_double_get(field + (tile.y + y) * grid->width + tile.x,
                             part->cells[steps % 2] + (y + 1) * part->stride + 1,
                             (size_t)tile.width, pe);
    }
    status = plate_write(stem, grid->width, grid->height, field);
    free(field);
    return status;
}

int main(int argc, char **argv)
{
    struct plate plate = {0};
    struct grid grid = {0};
    struct part part;
    int steps = argc > 3 ? atoi(argv[3]) : 3000;
    int fine = argc > 4 ? atoi(argv[4]) : 4;
    int me, n_pes, status = 0;
    double start;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();

    if (argc < 3 || steps < 1 || fine < 1) {
        if (me == 0)
            fprintf(stderr, "usage: %s plate.txt output-stem [steps [cells-per-square]]\n",
                    argv[0]);
        shmem_finalize();
        return 2;
    }
    if (share_plate(argv[1], &plate) != 0) {
        shmem_finalize();
        return 1;
    }
    grid.width = plate.width * fine;
    grid.height = plate.height * fine;
    divide(&grid, n_pes);
    if (grid.columns > grid.width || grid.rows > grid.height) {
        if (me == 0)
            fprintf(stderr, "%d PEs are too many for %d x %d cells\n", n_pes, grid.width,
                    grid.height);
        shmem_finalize();
        return 1;
    }
    set_up(&part, &grid, &plate, fine);

    start = now();
    for (int step = 1; step <= steps; step++) {
        compute(&part, part.cells[(step - 1) % 2], part.cells[step % 2]);
        send_edges(&part, &grid, step);
        receive_edges(&part, step);
        if (step % 1000 == 0) {
            double change = largest_change(&part);

            if (me == 0)
                printf("step %d: the largest change is %.1e\n", step, change);
        }
    }
    shmem_barrier_all();
    if (me == 0) {
        printf("%d PEs in %d x %d tiles: %d x %d cells, %d steps in %.2f s\n", n_pes, grid.columns,
               grid.rows, grid.width, grid.height, steps, now() - start);
        status = write_result(&part, &grid, steps, argv[2]);
    }
    shmem_finalize();
    return status == 0 ? 0 : 1;
}
