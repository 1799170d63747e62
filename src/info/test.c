/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces this process by an oshrun that runs the self-test. */
#include "info/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "info/place.h"

int tern_test_run(char *hosts)
{
    struct tern_installation at;
    char *words[] = {at.oshrun,     (char *)"-H", hosts, (char *)"--timeout",
                     (char *)"120", at.self_test, NULL};

    tern_place_find(&at);
    if (!at.oshrun[0] || !at.self_test[0]) {
        tern_error("%s is not where it was installed with tern-info",
                   at.oshrun[0] ? "the self-test" : "oshrun");
        return EXIT_FAILURE;
    }
    execv(at.oshrun, words);
    tern_error("%s can't be executed: %s", at.oshrun, strerror(errno));
    return EXIT_FAILURE;
}
