/* SPDX-License-Identifier: BSD-3-Clause */
/* Serializes access to the records of the program's threads. */
#include "tools/check/shared/records_lock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void tern_check_records_lock(void)
{
    pthread_mutex_lock(&lock);
}

void tern_check_records_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
