/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups PEs by machine and finds the ranges in each group. */
#include "boot/nodes.h"

#include <errno.h>
#include <stdlib.h>

static struct tern_pe_range part_of(const struct tern_pe_range *range, int first, int step, int end)
{
    int size = (end - first + step - 1) / step;

    return (struct tern_pe_range){
        .start = tern_pe_range_world(range, first),
        .stride = size > 1 ? range->stride * step : 1,
        .size = size,
    };
}

int tern_nodes_cut(const struct tern_pe_range *range, struct tern_nodes_split split,
                   struct tern_pe_range *parts)
{
    int n = range->size, k = split.parts < 1 ? 1 : split.parts < n ? split.parts : n;

    for (int j = 0; j < k; j++) {
        if (split.cyclic)
            parts[j] = part_of(range, j, k, n);
        else
            parts[j] =
                part_of(range, (int)((int64_t)n * j / k), 1, (int)((int64_t)n * (j + 1) / k));
    }
    return k;
}

/* A PE with its number, for sorting. */
struct member {
    uint64_t machine;
    int pe;
};

static int by_machine_and_number(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->machine != y->machine)
        return x->machine < y->machine ? -1 : 1;
    return x->pe - y->pe;
}

static int by_first_pe(const void *a, const void *b)
{
    const struct tern_pe_range *x = a, *y = b;

    return x->start - y->start;
}

/* How many of the n members, from the first one on, have numbers at that stride. */
static int count_regular(const struct member *m, int n, int stride)
{
    int i = 1;

    while (i < n && m[i].pe - m[i - 1].pe == stride)
        i++;
    return i;
}

static int machine_nodes(const struct member *m, int n, struct tern_nodes_split split,
                         struct tern_pe_range *nodes)
{
    int stride = n > 1 ? m[1].pe - m[0].pe : 1, found = 0;

    if (count_regular(m, n, stride) < n)
        stride = 1;
    for (int i = 0; i < n;) {
        int size = count_regular(m + i, n - i, stride);
        struct tern_pe_range range = {m[i].pe, stride, size};

        found += tern_nodes_cut(&range, split, nodes + found);
        i += size;
    }
    return found;
}

int tern_nodes_lay_out(const struct tern_nodes_pe *pes, int n, struct tern_pe_range **nodes)
{
    struct member *m = malloc((size_t)n * sizeof *m);
    struct tern_pe_range *all = malloc((size_t)n * sizeof *all); /* no node is empty */
    int found = 0;

    if (!m || !all) {
        free(m);
        free(all);
        return -ENOMEM;
    }
    for (int pe = 0; pe < n; pe++)
        m[pe] = (struct member){pes[pe].machine, pe};
    qsort(m, (size_t)n, sizeof *m, by_machine_and_number);
    for (int i = 0; i < n;) {
        int end = i;

        while (end < n && m[end].machine == m[i].machine)
            end++;
        found += machine_nodes(m + i, end - i, pes[m[i].pe].split, all + found);
        i = end;
    }
    free(m);
    qsort(all, (size_t)found, sizeof *all, by_first_pe);
    *nodes = all;
    return found;
}

int tern_nodes_find(const struct tern_pe_range *nodes, int n_nodes, int pe)
{
    for (int j = 0; j < n_nodes; j++)
        if (tern_pe_range_find(&nodes[j], pe) >= 0)
            return j;
    return -1;
}
