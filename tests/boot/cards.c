/* SPDX-License-Identifier: BSD-3-Clause */
/* Address cards through a launcher: what arrives, and how many values they take. */
#include "boot/external/cards.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include "base/atomics.h"
#include "base/log.h"
#include "boot/external/card_bytes.h"
#include "boot/external/hello.h"
#include "boot/external/protocol.h"
#include "unit/unit.h"

/* Machines, of which PEs are dealt out in an irregular way. */
enum { MACHINES = 3, PES = 40, VALUES = 4000 };

static const int sizes[MACHINES] = {25, 1, 14};

/* The rest of the library is not here. */
void tern_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* ---- a launcher ---- */

static struct value {
    int pe;
    char key[40], text[1100];
} values[VALUES];

static int n_values, puts_of[PES], gets_of[PES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all;
static _Thread_local int me;

static int put(const char *key, const char *text)
{
    struct value *value;

    pthread_mutex_lock(&lock);
    CHECK(n_values < VALUES && strlen(text) < 256);
    value = &values[n_values++];
    value->pe = me;
    snprintf(value->key, sizeof value->key, "%s", key);
    snprintf(value->text, sizeof value->text, "%s", text);
    puts_of[me]++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int get(int pe, const char *key, char *text, size_t bytes)
{
    gets_of[me]++;
    for (int i = 0; i < n_values; i++)
        if (values[i].pe == pe && strcmp(values[i].key, key) == 0) {
            snprintf(text, bytes, "%s", values[i].text);
            return 0;
        }
    return -EPROTO;
}

static int fence(void)
{
    pthread_barrier_wait(&all);
    return 0;
}

static const struct tern_protocol protocol = {.put = put, .get = get, .fence = fence};
static const struct tern_values launcher = {&protocol, 255};

/* ---- PEs ---- */

static struct tern_hello hellos[PES];
static struct tern_machine_area *machines[MACHINES];
static struct tern_job_area areas[MACHINES];

/* As an engine fills it: a few words, names, and room that is not used. */
static void make_card(int pe, struct tern_boot_card *card)
{
    uint64_t state = (uint64_t)pe + 1;

    memset(card, 0, sizeof *card);
    for (int i = 0; i < 40 + pe; i++)
        card->bytes[below(&state, sizeof card->bytes)] = (unsigned char)next_random(&state);
    card->bytes[pe] = 1;
}

static void deal_out(void)
{
    int left[MACHINES];
    uint64_t state = 7;

    memcpy(left, sizes, sizeof left);
    for (int pe = 0; pe < PES; pe++) {
        size_t m = below(&state, MACHINES);

        while (!left[m])
            m = (m + 1) % MACHINES;
        left[m]--;
        hellos[pe].place.machine = m;
    }
}

static void make_machines(void)
{
    for (int m = 0; m < MACHINES; m++) {
        size_t bytes = tern_machine_cards_offset(1) + PES * sizeof(struct tern_boot_card);
        int first = 0;

        while (hellos[first].place.machine != (uint64_t)m)
            first++;
        machines[m] = calloc(1, bytes);
        CHECK(machines[m]);
        machines[m]->n_pes = PES;
        machines[m]->n_nodes = 1;
        machines[m]->n_here = (uint32_t)sizes[m];
        machines[m]->first_here = (uint32_t)first;
    }
}

/* The last PE of each machine is its server. */
static bool serves(int pe)
{
    for (int later = pe + 1; later < PES; later++)
        if (tern_hello_are_near(hellos, pe, later))
            return false;
    return true;
}

static void *be_pe(void *number)
{
    int pe = (int)(intptr_t)number, m = (int)hellos[pe].place.machine;
    struct tern_boot boot = {.pe = pe, .n_pes = PES, .area = &areas[m]};
    struct tern_cards cards = {&launcher, machines[m],
                               serves(pe) ? tern_hello_firsts(hellos, PES) : NULL};
    struct tern_boot_card card;

    me = pe;
    make_card(pe, &card);
    CHECK(tern_cards_exchange(&cards, &boot, &card, sizeof card) == 0);
    for (int i = 0; i < PES; i++) {
        make_card(i, &card);
        CHECK(memcmp(tern_cards_at(machines[m], i), &card, sizeof card) == 0);
    }
    free(cards.firsts);
    return NULL;
}

/* Only one PE of a machine puts values, only one reads them, and none is read twice. */
static void check_counts(void)
{
    int putting = 0, getting = 0;

    for (int pe = 0; pe < PES; pe++) {
        int m = (int)hellos[pe].place.machine, own = puts_of[machines[m]->first_here];

        putting += puts_of[pe] > 0;
        getting += gets_of[pe] > 0;
        CHECK(!puts_of[pe] || pe == (int)machines[m]->first_here);
        CHECK(gets_of[pe] == (serves(pe) ? n_values - own : 0));
    }
    CHECK(putting == MACHINES && getting == MACHINES);
}

/* ---- single cards ---- */

static void check_shortening(void)
{
    unsigned char bytes[TERN_CARD_BYTES_MOST];
    struct tern_boot_card card, back;

    for (int pe = 0; pe < PES; pe++) {
        size_t n;

        make_card(pe, &card);
        n = tern_card_bytes_shorten(&card, bytes);
        CHECK(n <= sizeof bytes && tern_card_bytes_restore(bytes, n, &back) == n);
        CHECK(memcmp(&card, &back, sizeof card) == 0);
        for (size_t less = 0; less < n; less++)
            CHECK(tern_card_bytes_restore(bytes, less, &back) == 0);
    }
    memset(&card, 0, sizeof card);
    CHECK(tern_card_bytes_shorten(&card, bytes) == 2);
    for (size_t i = 0; i < sizeof card.bytes; i += 2)
        card.bytes[i] = 1;
    CHECK(tern_card_bytes_shorten(&card, bytes) == TERN_BOOT_CARD_BYTES * 3 / 2);
    bytes[0] = bytes[2] = 0;
    bytes[1] = bytes[3] = 200; /* more zeros than a card has */
    CHECK(tern_card_bytes_restore(bytes, 4, &back) == 0);
}

int main(void)
{
    pthread_t threads[PES];

    check_shortening();
    deal_out();
    make_machines();
    CHECK(pthread_barrier_init(&all, NULL, PES) == 0);
    for (int pe = 0; pe < PES; pe++)
        CHECK(pthread_create(&threads[pe], NULL, be_pe, (void *)(intptr_t)pe) == 0);
    for (int pe = 0; pe < PES; pe++)
        pthread_join(threads[pe], NULL);
    check_counts();
    for (int m = 0; m < MACHINES; m++)
        free(machines[m]);
    return 0;
}
