/* SPDX-License-Identifier: BSD-3-Clause */
/* A preloaded stand-in for a C library that prints messages in the user's language. */
#include <dlfcn.h>

char *dlerror(void)
{
    static char text[] = "Datei oder Verzeichnis nicht gefunden";

    return text;
}
