/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of network engines, the choice among them, and their loading. */
#ifndef TERN_NET_ENGINES_H
#define TERN_NET_ENGINES_H

#include <stddef.h>

#include "net/net.h"

/* An engine, as the library knows it before it is loaded. */
struct tern_engine {
    const char *name;    /* for SHMEM_NETWORK, and of its folder in src/net */
    const char *serves;  /* the networks that it reaches, in words */
    const char *library; /* the plug-in's file name */
};

struct tern_engines {
    const struct tern_engine *list; /* in order of preference */
    size_t n;
};

extern const struct tern_engines tern_engines;

/* Room for the reasons why engines can't be used. */
#define TERN_ENGINES_PROBLEM 4096

/*
 * The engines that SHMEM_NETWORK selects: all for NULL, or the one of that name. 0, or -EINVAL with
 * the problem in words, which lists the names.
 */
int tern_engines_select(const struct tern_engines *all, const char *name,
                        struct tern_engines *selected, char *problem, size_t bytes);

/*
 * Loads an engine that was installed with the library of that path; NULL: where the loader
 * searches. 0, or -errno with the problem in words: -EPROTO if it is of another version.
 */
int tern_engines_load(const struct tern_engine *engine, const char *library,
                      const struct tern_net_ops **ops, char *problem, size_t bytes);

/*
 * Loads the first of the engines that can be loaded. 0, or -errno with the problems of all, -EPROTO
 * if one is of another version.
 */
int tern_engines_load_first(const struct tern_engines *engines, const char *library,
                            const struct tern_net_ops **ops, char *problem, size_t bytes);

#endif
