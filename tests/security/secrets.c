/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE that writes the secrets of its job into FOLDER/PE: the tokens and the keys of all address
 * cards. It prints whether core files contain the cards, then waits until FOLDER/go
 * exists, or FOLDER does not.
 *
 *     secrets FOLDER
 */
#include <inttypes.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/external/machine_memory.h"
#include "boot/job_area.h"
#include "net/ofi/wire.h"

struct mapping {
    char *start;
    bool is_dumped;
};

/* The mapping of the start of a memory object, by the object's name. */
static struct mapping find(const char *object)
{
    FILE *f = fopen("/proc/self/smaps", "r");
    struct mapping found = {NULL, false};
    uint64_t start = 0, number, offset;
    char line[512];
    bool is_it = false;

    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64, &number, &offset) == 2) {
            is_it = !found.start && offset == 0 && strstr(line, object);
            start = number;
        } else if (is_it && strncmp(line, "VmFlags:", 8) == 0) {
            found = (struct mapping){(char *)(uintptr_t)start, !strstr(line, " dd")};
        }
    }
    if (f)
        fclose(f);
    return found;
}

static struct mapping find_cards(void)
{
    struct mapping area = find("/memfd:tern-machine ");

    if (area.start) {
        area.start += tern_machine_cards_offset(((struct tern_machine_area *)area.start)->n_nodes);
        return area;
    }
    area = find("/memfd:tern-job ");
    if (area.start)
        area.start += tern_job_cards_offset(((struct tern_job_area *)area.start)->n_pes);
    return area;
}

static void write_secrets(const char *folder, const char *cards)
{
    char path[4096], whole[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/part-%d", folder, shmem_my_pe());
    snprintf(whole, sizeof whole, "%s/%d", folder, shmem_my_pe());
    f = fopen(path, "w");
    for (int pe = 0; f && pe < shmem_n_pes(); pe++) {
        const struct ofi_card *card =
            (const struct ofi_card *)(cards + (size_t)pe * sizeof(struct tern_boot_card));

        if (card->magic != OFI_CARD_MAGIC)
            fprintf(f, "no card of PE %d\n", pe);
        fprintf(f, "%" PRIx64 "\n", card->token);
        for (int i = 0; i < TERN_NET_SEGMENTS; i++)
            fprintf(f, "%" PRIx64 "\n", card->segments[i].key);
    }
    if (!f || fclose(f) != 0 || rename(path, whole) != 0)
        perror(path);
}

int main(int argc, char **argv)
{
    struct mapping cards;
    char go[4096];

    if (argc < 2)
        return 2;
    shmem_init();
    cards = find_cards();
    if (!cards.start) {
        fprintf(stderr, "PE %d has no cards\n", shmem_my_pe());
        return 1;
    }
    printf("PE %d: the cards are %s\n", shmem_my_pe(),
           cards.is_dumped ? "in core files" : "in no core file");
    fflush(stdout);
    write_secrets(argv[1], cards.start);
    snprintf(go, sizeof go, "%s/go", argv[1]);
    while (access(go, F_OK) != 0 && access(argv[1], F_OK) == 0)
        usleep(10000);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
