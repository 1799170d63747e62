/* SPDX-License-Identifier: BSD-3-Clause */
/* The division of PEs into nodes: blocks, strides, irregular machines, splits. */
#include "boot/nodes.h"

#include <string.h>

#include "unit/unit.h"

#define MOST 4096

static struct tern_nodes_pe pes[MOST];
static struct tern_pe_range *nodes;
static int n_nodes;

/* Machines by letter, a PE each. */
static void lay_out(const char *machines, int parts, bool cyclic)
{
    int n = (int)strlen(machines);

    for (int pe = 0; pe < n; pe++)
        pes[pe] = (struct tern_nodes_pe){
            .machine = (uint64_t)machines[pe] * UINT64_C(0x9e3779b97f4a7c15),
            .split = {parts, cyclic},
        };
    free(nodes);
    n_nodes = tern_nodes_lay_out(pes, n, &nodes);
}

static bool is_node(int i, int start, int stride, int size)
{
    return i < n_nodes && nodes[i].start == start && nodes[i].stride == stride &&
           nodes[i].size == size;
}

static void one_machine(void)
{
    lay_out("a", 0, false);
    CHECK(n_nodes == 1 && is_node(0, 0, 1, 1));
    lay_out("aaaaa", 0, false);
    CHECK(n_nodes == 1 && is_node(0, 0, 1, 5));
}

static void regular_machines(void)
{
    lay_out("aaabbb", 0, false);
    CHECK(n_nodes == 2 && is_node(0, 0, 1, 3) && is_node(1, 3, 1, 3));
    lay_out("bbbaa", 0, false);
    CHECK(n_nodes == 2 && is_node(0, 0, 1, 3) && is_node(1, 3, 1, 2));
    lay_out("ababab", 0, false);
    CHECK(n_nodes == 2 && is_node(0, 0, 2, 3) && is_node(1, 1, 2, 3));
    lay_out("cbacbac", 0, false);
    CHECK(n_nodes == 3 && is_node(0, 0, 3, 3) && is_node(1, 1, 3, 2) && is_node(2, 2, 3, 2));
    lay_out("abc", 0, false);
    CHECK(n_nodes == 3 && is_node(0, 0, 1, 1) && is_node(2, 2, 1, 1));
    lay_out("abba", 0, false); /* two PEs are always a progression */
    CHECK(n_nodes == 2 && is_node(0, 0, 3, 2) && is_node(1, 1, 1, 2));
}

static void node_of_a_pe(void)
{
    lay_out("abba", 0, false);
    CHECK(tern_nodes_find(nodes, n_nodes, 0) == 0 && tern_nodes_find(nodes, n_nodes, 1) == 1);
    CHECK(tern_nodes_find(nodes, n_nodes, 2) == 1 && tern_nodes_find(nodes, n_nodes, 3) == 0);
    CHECK(tern_nodes_find(nodes, n_nodes, 4) == -1);
}

static void irregular_machines(void)
{
    lay_out("aabaa", 0, false);
    CHECK(n_nodes == 3 && is_node(0, 0, 1, 2) && is_node(1, 2, 1, 1) && is_node(2, 3, 1, 2));
    lay_out("ababba", 0, false); /* a: 0 2 5; b: 1 3 4 */
    CHECK(n_nodes == 5 && is_node(0, 0, 1, 1) && is_node(1, 1, 1, 1) && is_node(2, 2, 1, 1) &&
          is_node(3, 3, 1, 2) && is_node(4, 5, 1, 1));
}

static void splits(void)
{
    lay_out("aaaaaaa", 2, false);
    CHECK(n_nodes == 2 && is_node(0, 0, 1, 3) && is_node(1, 3, 1, 4));
    lay_out("aaaaaaa", 2, true);
    CHECK(n_nodes == 2 && is_node(0, 0, 2, 4) && is_node(1, 1, 2, 3));
    lay_out("aaaabbbb", 2, false);
    CHECK(n_nodes == 4 && is_node(1, 2, 1, 2) && is_node(2, 4, 1, 2));
    lay_out("aaaabbbb", 2, true);
    CHECK(n_nodes == 4 && is_node(0, 0, 2, 2) && is_node(1, 1, 2, 2) && is_node(3, 5, 2, 2));
    lay_out("abababab", 2, false);
    CHECK(n_nodes == 4 && is_node(0, 0, 2, 2) && is_node(1, 1, 2, 2) && is_node(2, 4, 2, 2));
    lay_out("aab", 5, false);
    CHECK(n_nodes == 3 && is_node(0, 0, 1, 1) && is_node(1, 1, 1, 1) && is_node(2, 2, 1, 1));
    lay_out("aaa", -3, true);
    CHECK(n_nodes == 1 && is_node(0, 0, 1, 3));
}

/* Whatever the machines: each PE is on one node, with PEs of its machine only, in order. */
static void any_machines(void)
{
    static char machines[MOST + 1];
    uint64_t seed = 7;

    for (int round = 0; round < 300; round++) {
        int n = 1 + (int)below(&seed, round % 10 ? 40 : MOST), kinds = 1 + (int)below(&seed, 5);
        int covered = 0;

        for (int pe = 0; pe < n; pe++)
            machines[pe] = (char)('a' + (pe && below(&seed, 3) ? machines[pe - 1] - 'a'
                                                               : (int)below(&seed, (size_t)kinds)));
        machines[n] = '\0';
        lay_out(machines, (int)below(&seed, 4), below(&seed, 2));
        for (int i = 0; i < n_nodes; i++) {
            CHECK(nodes[i].size > 0 && nodes[i].stride > 0);
            CHECK(i == 0 || nodes[i].start > nodes[i - 1].start);
            for (int m = 0; m < nodes[i].size; m++)
                CHECK(machines[tern_pe_range_world(&nodes[i], m)] == machines[nodes[i].start]);
            covered += nodes[i].size;
        }
        CHECK(covered == n);
        for (int pe = 0; pe < n; pe++) {
            int holders = 0;

            for (int i = 0; i < n_nodes && n < 100; i++)
                holders += tern_pe_range_find(&nodes[i], pe) >= 0;
            CHECK(holders == 1 || n >= 100);
        }
    }
}

int main(void)
{
    one_machine();
    regular_machines();
    node_of_a_pe();
    irregular_machines();
    splits();
    any_machines();
    free(nodes);
    return 0;
}
