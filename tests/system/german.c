/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in, loaded in front, for a C library that speaks the user's language. */
#include <dlfcn.h>

char *dlerror(void)
{
    static char text[] = "Datei oder Verzeichnis nicht gefunden";

    return text;
}
