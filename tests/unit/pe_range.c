/* SPDX-License-Identifier: BSD-3-Clause */
/* The common members of two ranges of PEs, compared with a search of every member. */
#include "base/pe_range.h"

#include <stdio.h>
#include <stdlib.h>

static void show(const char *what, const struct tern_pe_range *r)
{
    fprintf(stderr, "%s %d + i * %d, %d members\n", what, r->start, r->stride, r->size);
}

static void expect(const struct tern_pe_range *r, const struct tern_pe_range *other)
{
    struct tern_pe_range common = tern_pe_range_common(r, other);
    int found = 0;

    for (int i = 0; i < r->size; i++) {
        if (tern_pe_range_find(other, tern_pe_range_world(r, i)) < 0)
            continue;
        if (found >= common.size || tern_pe_range_world(&common, found) != i) {
            show("members of", r);
            show("that are in", other);
            show("are not", &common);
            exit(EXIT_FAILURE);
        }
        found++;
    }
    if (found != common.size) {
        show("common to", r);
        show("and", other);
        fprintf(stderr, "are %d, not %d\n", found, common.size);
        exit(EXIT_FAILURE);
    }
}

/* As many members as there is room for in a world of n PEs, and fewer. */
static void each_size(struct tern_pe_range r, int n, const struct tern_pe_range *other)
{
    for (r.size = 1; r.size <= n; r.size++) {
        int last = tern_pe_range_world(&r, r.size - 1);

        if (last < 0 || last >= n || (r.size > 1 && r.stride == 0))
            break;
        if (other)
            expect(&r, other);
        else
            for (int start = 0; start < n; start++)
                for (int stride = 1; stride < n; stride += 1 + stride / 5)
                    each_size((struct tern_pe_range){start, stride, 0}, n, &r);
    }
}

/* Of a whole world that is dealt out to nodes in either way. */
static void expect_large(int n, int k)
{
    for (int stride = -3; stride <= 7; stride += 2) {
        struct tern_pe_range team = {stride < 0 ? n - 1 : 2, stride, (n - 3) / abs(stride)};

        for (int j = 0; j < k; j++) {
            struct tern_pe_range block = {j * (n / k), 1, n / k}, cyclic = {j, k, n / k};

            expect(&team, &block);
            expect(&team, &cyclic);
        }
    }
}

int main(void)
{
    for (int start = 0; start < 17; start++)
        for (int stride = -9; stride <= 9; stride++)
            each_size((struct tern_pe_range){start, stride, 0}, 17, NULL);
    expect_large(100000, 40);
    expect_large(65535, 255);
    return EXIT_SUCCESS;
}
