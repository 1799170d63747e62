/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that does nothing. `empty memory` tells its own memory. */
#include "memory_use.h"

int main(int argc, char **argv)
{
    if (argc > 1)
        printf("%ld\n", memory_use_kib());
    return 0;
}
