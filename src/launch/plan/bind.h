/* SPDX-License-Identifier: BSD-3-Clause */
/* Binding of PEs to cores. */
#ifndef TERN_LAUNCH_PLAN_BIND_H
#define TERN_LAUNCH_PLAN_BIND_H

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

/* A set of processors for each core in use: its hardware threads. */
struct tern_binding {
    cpu_set_t *sets;
    uint32_t n_sets; /* 0: PEs are not bound */
};

#define TERN_CPU_SET_BYTES (8192 / 8)

/* Takes the first `cores` cores of the affinity mask. Returns 0 or -errno. */
int tern_bind_plan(struct tern_binding *binding, uint32_t cores);

/* The processors of a PE, or NULL if PEs are not bound. */
const cpu_set_t *tern_bind_set(const struct tern_binding *binding, uint32_t pe);

/* Writes a set as "3" or "2-3". */
void tern_bind_format(const cpu_set_t *set, char *text, size_t size);

#endif
