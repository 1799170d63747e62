/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the memory objects of a machine and of its nodes, as the PEs' hello records require. */
#include "boot/external/machine_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "boot/nodes.h"

void *tern_machine_memory_map(int fd, uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (p == MAP_FAILED)
        return NULL;
    madvise(p, bytes, MADV_DONTDUMP); /* there are address cards in it */
    return p;
}

static int lay_out(const struct tern_hello *hellos, int n_pes, struct tern_pe_range **nodes)
{
    struct tern_nodes_pe *pes = calloc((size_t)n_pes, sizeof *pes);
    int n = pes ? 0 : -ENOMEM;

    for (int pe = 0; pes && pe < n_pes; pe++)
        pes[pe] = hellos[pe].place;
    if (pes)
        n = tern_nodes_lay_out(pes, n_pes, nodes);
    free(pes);
    return n;
}

static int make_machine(struct tern_machine_memory *memory, const struct tern_hello *hellos, int n,
                        int me, const struct tern_pe_range *nodes, int n_nodes)
{
    struct tern_machine_area *m;
    int fd;

    memory->machine_bytes =
        tern_machine_cards_offset((uint32_t)n_nodes) + (uint64_t)n * sizeof(struct tern_boot_card);
    fd = tern_os_memfd("tern-machine", memory->machine_bytes);
    if (fd < 0)
        return fd;
    memory->machine_fd = fd;
    m = memory->machine = tern_machine_memory_map(fd, memory->machine_bytes);
    if (!m)
        return -errno;
    m->n_pes = (uint32_t)n;
    m->n_nodes = (uint32_t)n_nodes;
    m->memory = tern_hello_share(hellos, n);
    for (int pe = n - 1; pe >= 0; pe--) {
        if (tern_hello_are_near(hellos, pe, me)) {
            m->n_here++;
            m->first_here = (uint32_t)pe;
        }
        m->n_near += hellos[pe].system == hellos[me].system;
    }
    memcpy(m->nodes, nodes, (size_t)n_nodes * sizeof nodes[0]);
    return 0;
}

static int make_node(struct tern_machine_node *node, int number, uint32_t n_pes)
{
    struct tern_job_area *area;

    node->number = number;
    node->fd = tern_os_memfd("tern-job", TERN_IMAGES_OFFSET);
    if (node->fd < 0)
        return node->fd;
    area = tern_machine_memory_map(node->fd, tern_job_head_bytes(n_pes, 0));
    if (!area)
        return -errno;
    area->version = TERN_JOB_AREA_VERSION;
    area->n_pes = n_pes;
    area->magic = TERN_JOB_AREA_MAGIC;
    node->area = area;
    return 0;
}

static int make_nodes(struct tern_machine_memory *memory, const struct tern_hello *hellos, int me)
{
    const struct tern_machine_area *m = memory->machine;
    int r = 0;

    memory->nodes = calloc(m->n_nodes, sizeof *memory->nodes);
    if (!memory->nodes)
        return -ENOMEM;
    for (uint32_t i = 0; !r && i < m->n_nodes; i++)
        if (tern_hello_are_near(hellos, m->nodes[i].start, me))
            r = make_node(&memory->nodes[memory->n_nodes++], (int)i, (uint32_t)m->nodes[i].size);
    return r;
}

int tern_machine_memory_make(struct tern_machine_memory *memory, const struct tern_hello *hellos,
                             int n, int me)
{
    struct tern_pe_range *nodes = NULL;
    int n_nodes = lay_out(hellos, n, &nodes), r = n_nodes;
    char why[TERN_COMPAT_BYTES];

    *memory = (struct tern_machine_memory){.machine_fd = -1};
    if (n_nodes >= 0)
        r = make_machine(memory, hellos, n, me, nodes, n_nodes);
    free(nodes);
    if (!r)
        r = make_nodes(memory, hellos, me);
    if (r == -ENOSYS || r == -EFBIG) {
        tern_compat_explain("memfd_create", "3.17", -r, why);
        tern_error("the memory that this machine's PEs share can't be made: %s%s", why,
                   r == -EFBIG ? ": raise the hard limit on file sizes (ulimit -Hf unlimited)"
                               : "");
    } else if (r) {
        tern_limit_report(-r, "the memory that this machine's PEs share can't be made");
    }
    return r;
}

void tern_machine_memory_free(struct tern_machine_memory *memory)
{
    for (int i = 0; i < memory->n_nodes; i++) {
        struct tern_machine_node *node = &memory->nodes[i];

        if (node->area)
            munmap(node->area, tern_job_head_bytes(node->area->n_pes, 0));
        if (node->fd >= 0)
            close(node->fd);
    }
    if (memory->machine)
        munmap(memory->machine, memory->machine_bytes);
    if (memory->machine_fd >= 0)
        close(memory->machine_fd);
    free(memory->nodes);
}

struct tern_machine_node *tern_machine_memory_node_of(const struct tern_machine_memory *memory,
                                                      int pe)
{
    for (int i = 0; i < memory->n_nodes; i++)
        if (tern_pe_range_find(&memory->machine->nodes[memory->nodes[i].number], pe) >= 0)
            return &memory->nodes[i];
    return NULL;
}

struct tern_slot *tern_machine_memory_slot_of(const struct tern_machine_memory *memory,
                                              const struct tern_machine_node *node, int pe)
{
    return &node->area->slots[tern_pe_range_find(&memory->machine->nodes[node->number], pe)];
}
