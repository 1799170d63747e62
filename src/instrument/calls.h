/* SPDX-License-Identifier: BSD-3-Clause */
/* Definitions of the functions that compilers call, whose names are the compilers' own. */
#ifndef TERN_INSTRUMENT_CALLS_H
#define TERN_INSTRUMENT_CALLS_H

#include "instrument/hooks.h"

/* Defines __tsan_NAME, which has no other declaration than this one. */
#define CALL(type, name, arguments)                                                                \
    type __tsan_##name arguments;                                                                  \
    type __tsan_##name arguments

#define SITE __builtin_return_address(0)

/* Calls a function of the tool, if there is one. */
#define TELL(hook, ...)                                                                            \
    do {                                                                                           \
        if (__builtin_expect(tern_instrument_hooks != NULL, 0))                                    \
            tern_instrument_hooks->hook(__VA_ARGS__);                                              \
    } while (0)

#endif
