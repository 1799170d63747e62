/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of extensions/backend: a library that is loaded, not linked, and its heap. */
#ifndef EXT_BACKEND_H
#define EXT_BACKEND_H

#include <shmem.h>
#include <stdbool.h>

/* A routine of the library, by its name in the header, which gives its type. */
#define FIND(routine) ((__typeof__(&routine))backend_find(BACKEND_STRING(routine)))
#define BACKEND_STRING(text) BACKEND_STRING_(text)
#define BACKEND_STRING_(text) #text

#define CHECK(condition) backend_check(condition, #condition, __FILE__, __LINE__)

void *backend_find(const char *name);
void backend_check(bool holds, const char *what, const char *file, int line);

/* The PEs, the symmetric memory that the program brought along, and the world. */
extern int me, n, next, previous;
extern char *heap;
extern shmem_team_t world;

/* backend_types.c: the routines that exist for several types. */
void backend_types(void);

#endif
