/* SPDX-License-Identifier: BSD-3-Clause */
/* Assigns the cores of the affinity mask to PEs, round robin. */
#include "launch/plan/bind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CPUS (TERN_CPU_SET_BYTES * 8)

static cpu_set_t *set_at(const struct tern_binding *binding, uint32_t i)
{
    return (cpu_set_t *)((char *)binding->sets + (size_t)i * TERN_CPU_SET_BYTES);
}

/* Adds the processors of a list such as "0-1,8-9". */
static void add_list(cpu_set_t *set, const char *list)
{
    unsigned first, last;
    int used;

    while (sscanf(list, "%u%n", &first, &used) == 1) {
        list += used;
        last = first;
        if (sscanf(list, "-%u%n", &last, &used) == 1)
            list += used;
        for (; first <= last && first < MAX_CPUS; first++)
            CPU_SET_S(first, TERN_CPU_SET_BYTES, set);
        if (*list++ != ',')
            break;
    }
}

/* Finds the usable hardware threads of a processor's core. */
static void find_core(int cpu, const cpu_set_t *usable, cpu_set_t *core)
{
    char path[96], list[1024];
    FILE *f;

    CPU_ZERO_S(TERN_CPU_SET_BYTES, core);
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    f = fopen(path, "re");
    if (f && fgets(list, sizeof list, f))
        add_list(core, list);
    if (f)
        fclose(f);
    CPU_SET_S((size_t)cpu, TERN_CPU_SET_BYTES, core);
    CPU_AND_S(TERN_CPU_SET_BYTES, core, core, usable);
}

int tern_bind_plan(struct tern_binding *binding, uint32_t cores)
{
    cpu_set_t *left = malloc(TERN_CPU_SET_BYTES), *usable = malloc(TERN_CPU_SET_BYTES);
    int r = 0;

    *binding = (struct tern_binding){.sets = calloc(cores, TERN_CPU_SET_BYTES)};
    if (!left || !usable || !binding->sets)
        r = -ENOMEM;
    else if (sched_getaffinity(0, TERN_CPU_SET_BYTES, usable) != 0)
        r = -errno;
    if (r)
        goto out;
    memcpy(left, usable, TERN_CPU_SET_BYTES);
    for (int cpu = 0; cpu < MAX_CPUS && binding->n_sets < cores; cpu++) {
        cpu_set_t *core = set_at(binding, binding->n_sets);

        if (!CPU_ISSET_S((size_t)cpu, TERN_CPU_SET_BYTES, left))
            continue;
        find_core(cpu, usable, core);
        CPU_XOR_S(TERN_CPU_SET_BYTES, left, left, core);
        binding->n_sets++;
    }
out:
    free(left);
    free(usable);
    return r;
}

const cpu_set_t *tern_bind_set(const struct tern_binding *binding, uint32_t pe)
{
    return binding->n_sets ? set_at(binding, pe % binding->n_sets) : NULL;
}

void tern_bind_format(const cpu_set_t *set, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (size_t cpu = 0; cpu < MAX_CPUS && used < size; cpu++) {
        size_t last = cpu;

        if (!CPU_ISSET_S(cpu, TERN_CPU_SET_BYTES, set))
            continue;
        while (last + 1 < MAX_CPUS && CPU_ISSET_S(last + 1, TERN_CPU_SET_BYTES, set))
            last++;
        used += (size_t)snprintf(text + used, size - used, last > cpu ? "%s%zu-%zu" : "%s%zu",
                                 used ? "," : "", cpu, last);
        cpu = last;
    }
}
