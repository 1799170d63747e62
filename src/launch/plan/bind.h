/* SPDX-License-Identifier: BSD-3-Clause */
/* Which core each PE is bound to. */
#ifndef TERN_LAUNCH_PLAN_BIND_H
#define TERN_LAUNCH_PLAN_BIND_H

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

/* One set of processors (a core's hardware threads) for each core that is used. */
struct tern_binding {
    cpu_set_t *sets;
    uint32_t n_sets; /* 0: PEs are not bound */
};

#define TERN_CPU_SET_BYTES (8192 / 8)

/* Takes the cores of the affinity mask, as many as the quota feeds. Returns 0 or -errno. */
int tern_bind_plan(struct tern_binding *binding, uint32_t cores);

/* The processors of a PE: the cores in turn. NULL if PEs are not bound. */
const cpu_set_t *tern_bind_set(const struct tern_binding *binding, uint32_t pe);

/* "3", "2-3" */
void tern_bind_format(const cpu_set_t *set, char *text, size_t size);

#endif
