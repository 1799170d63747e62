/* SPDX-License-Identifier: BSD-3-Clause */
/* Address cards that arrive, arrive late, or cannot arrive any more. */
#include "boot/exchange.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>

#include "base/atomics.h"
#include "base/log.h"
#include "unit/capture.h"

#define N 3

static struct tern_boot_card cards[N];
static struct tern_job_area area;
static uint32_t written;
static int expected;

/* The rest of the library is not here. */
void tern_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

static void write_card(int pe)
{
    cards[pe].bytes[pe] = 1;
    tern_fetch_add(&written, 1); /* partner: tern_exchange_await() */
}

static void wait_for_cards(void)
{
    const struct tern_exchange exchange = {&written, N, cards, N, &area, 1};

    CHECK(tern_exchange_await(&exchange) == expected);
}

static void check(int result, const char *message)
{
    char text[200];

    expected = result;
    CHECK(capture(wait_for_cards, text, sizeof text) == 0);
    CHECK(strcmp(text, message) == 0);
}

static void *come_later(void *unused)
{
    usleep(100000);
    write_card(1);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    write_card(0);
    write_card(2);
    check(-ETIMEDOUT, "shmem_init can't complete: 1 of 3 PEs did not publish their network "
                      "addresses within 1 s (first missing: PE 1)");
    area.last_departed = 1;
    area.departed = 1;
    check(-ECONNRESET, "shmem_init can't complete: PE 1 has ended");
    area.departed = 0;
    CHECK(pthread_create(&thread, NULL, come_later, NULL) == 0);
    expected = 0;
    wait_for_cards();
    pthread_join(thread, NULL);
    return 0;
}
