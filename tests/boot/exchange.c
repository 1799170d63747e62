/* SPDX-License-Identifier: BSD-3-Clause */
/* Address cards that arrive, arrive late, or cannot arrive any more. */
#include "boot/exchange.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <time.h>

#include "base/atomics.h"
#include "base/log.h"
#include "base/os.h"
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
    tern_exchange_add(&written, N);
}

uint64_t tern_os_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Sleeps that end by a wake only, so that a missing wake is a hang; and those that end in time. */
static bool sleeps_are_long;
static sem_t bell, asleep;

void tern_os_futex_wait(const uint32_t *word, uint32_t seen, uint64_t timeout_ns)
{
    CHECK(timeout_ns >= 1000000 && timeout_ns <= 200000000);
    if (!sleeps_are_long) {
        usleep((useconds_t)(timeout_ns / 1000));
        return;
    }
    sem_post(&asleep);
    sem_wait(&bell);
}

void tern_os_futex_wake_all(const uint32_t *word)
{
    CHECK(word == &written);
    sem_post(&bell);
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
    sem_wait(&asleep);
    write_card(1);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    CHECK(sem_init(&bell, 0, 0) == 0 && sem_init(&asleep, 0, 0) == 0);
    write_card(0);
    write_card(2);
    check(-ETIMEDOUT, "shmem_init can't complete: 1 of 3 PEs did not publish their network "
                      "addresses within 1 s (first missing: PE 1)");
    area.last_departed = 1;
    area.departed = 1;
    check(-ECONNRESET, "shmem_init can't complete: PE 1 has ended");
    area.departed = 0;
    sleeps_are_long = true;
    CHECK(pthread_create(&thread, NULL, come_later, NULL) == 0);
    expected = 0;
    wait_for_cards();
    pthread_join(thread, NULL);
    tern_exchange_set(&written, N + 1);
    CHECK(written == N + 1 && sem_trywait(&bell) == 0 && sem_trywait(&bell) != 0);
    return 0;
}
