/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A halo exchange on Intel SHMEM's interface: heat spreads over a plate whose rows are dealt out to
 * the PEs. Before each step, a PE puts its outermost rows beside those of its neighbours, with a
 * signal that says which step they are for.
 */
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ishmem.h>

constexpr int ROWS = 40, COLUMNS = 30, STEPS = 300;
constexpr double HOT = 100.0; /* the plate's upper edge; the others are at 0 */

struct Strip {
    int me = ishmem_my_pe(), n_pes = ishmem_n_pes();
    /* Two states, so that a neighbour that is a step ahead does not disturb the present one. */
    double *state[2];
    uint64_t *from_above, *from_below;

    Strip()
    {
        /* Symmetric memory has the same size on all PEs, whoever has a row more or less. */
        size_t rows = size_t((ROWS + n_pes - 1) / n_pes + 2);

        for (double *&s : state) {
            s = static_cast<double *>(ishmem_calloc(rows * COLUMNS, sizeof(double)));
            if (me == 0)
                std::fill_n(s, COLUMNS, HOT);
        }
        from_above = static_cast<uint64_t *>(ishmem_calloc(2, sizeof(uint64_t)));
        from_below = from_above + 1;
        ishmem_barrier_all();
    }

    ~Strip()
    {
        ishmem_free(from_above);
        ishmem_free(state[1]);
        ishmem_free(state[0]);
    }

    int first_row_of(int pe) const
    {
        return ROWS * pe / n_pes;
    }

    int rows_of(int pe) const
    {
        return first_row_of(pe + 1) - first_row_of(pe);
    }

    /* A PE's rows are 1 to rows_of(pe); rows 0 and rows_of(pe) + 1 are its neighbours'. */
    void exchange(double *s, uint64_t step) const
    {
        ishmem_fence(); /* or the last step's signal might come after this one's */
        if (me > 0)
            ishmem_put_signal(s + (rows_of(me - 1) + 1) * COLUMNS, s + COLUMNS, COLUMNS, from_below,
                              step, ISHMEM_SIGNAL_SET, me - 1);
        if (me < n_pes - 1)
            ishmem_put_signal(s, s + rows_of(me) * COLUMNS, COLUMNS, from_above, step,
                              ISHMEM_SIGNAL_SET, me + 1);
        if (me > 0)
            ishmem_signal_wait_until(from_above, ISHMEM_CMP_GE, step);
        if (me < n_pes - 1)
            ishmem_signal_wait_until(from_below, ISHMEM_CMP_GE, step);
    }

    /* One step; how much it changes the temperature of a point at most. */
    double spread(const double *old, double *now) const
    {
        double most = 0;

        for (int i = 1; i <= rows_of(me); i++)
            for (int j = 1; j < COLUMNS - 1; j++) {
                const double *point = old + i * COLUMNS + j;
                double mean = 0.25 * (point[-COLUMNS] + point[COLUMNS] + point[-1] + point[1]);

                now[i * COLUMNS + j] = mean;
                most = std::max(most, std::fabs(mean - *point));
            }
        return most;
    }

    double middle() const
    {
        int pe = 0;

        while (first_row_of(pe + 1) <= ROWS / 2)
            pe++;
        return ishmem_g(
            state[STEPS % 2] + (ROWS / 2 - first_row_of(pe) + 1) * COLUMNS + COLUMNS / 2, pe);
    }
};

int main()
{
    static double change, most;

    ishmem_init();
    if (ishmem_n_pes() <= ROWS) {
        Strip strip;

        for (int step = 1; step <= STEPS; step++) {
            double *old = strip.state[(step - 1) % 2], *now = strip.state[step % 2];

            strip.exchange(old, uint64_t(step));
            change = strip.spread(old, now);
        }
        ishmem_max_reduce(&most, &change, 1);
        ishmem_barrier_all();
        if (strip.me == 0)
            std::printf("%d PEs: after %d steps the middle is at %.9f degrees; "
                        "the last step changed no point by more than %.9f\n",
                        strip.n_pes, STEPS, strip.middle(), most);
    } else if (ishmem_my_pe() == 0) {
        std::fprintf(stderr, "halo: there are %d rows, too few for all PEs\n", ROWS);
    }
    ishmem_finalize();
    return 0;
}
