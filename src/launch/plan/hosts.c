/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses lists and files of hosts, and assigns PEs to them. */
#include "launch/plan/hosts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/log.h"
#include "base/parse_uint.h"

#define MAX_SLOTS UINT64_C(1000000)

/* Where a host was named, for messages. */
struct position {
    const char *file; /* NULL: on the command line */
    int line;
};

static int refuse(const struct position *position, const char *text, const char *why)
{
    if (position->file)
        tern_error("%s:%d: \"%s\" %s", position->file, position->line, text, why);
    else
        tern_error("-H: \"%s\" %s", text, why);
    return -EINVAL;
}

static bool consists_of(const char *text, const char *others)
{
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr(others, *text))
            return false;
    return true;
}

/*
 * Starters pass names to shells, and take those with a dash for options. Only safe ones are
 * allowed.
 */
static bool is_name(const char *name)
{
    return *name && *name != '-' && consists_of(name, ".-_");
}

/* Whether this is an IPv6 address, maybe with a scope as in fe80::1%eth0. */
static bool is_address_6(const char *name)
{
    return strchr(name, ':') && consists_of(name, ":.%-_");
}

/* Returns what is wrong with [USER@]NAME, or NULL. */
static const char *check_name(const char *text)
{
    const char *at = strrchr(text, '@');
    const char *host = at ? at + 1 : text;

    if (!*host)
        return "names no host";
    if (!is_name(host) && !is_address_6(host))
        return "is not a host's name or address";
    if (at && (at == text || *text == '-' || strcspn(text, ":%") < (size_t)(at - text) ||
               !consists_of(text, "@.-_+:%")))
        return "has a user's name that launchers don't take";
    return NULL;
}

static struct tern_host *find(struct tern_hosts *hosts, const char *name)
{
    for (size_t i = 0; i < hosts->n; i++)
        if (strcmp(hosts->list[i].name, name) == 0)
            return &hosts->list[i];
    return NULL;
}

/*
 * Adds a host. One that is named repeatedly has the sum of its slots, at least one for each
 * mention.
 */
static int add(struct tern_hosts *hosts, const char *name, uint64_t slots)
{
    struct tern_host *host = find(hosts, name), *list;

    if (host) {
        host->slots = (host->slots ? host->slots : 1) + (slots ? slots : 1);
        return 0;
    }
    list = reallocarray(hosts->list, hosts->n + 1, sizeof *list);
    if (!list)
        return -ENOMEM;
    hosts->list = list;
    list[hosts->n] = (struct tern_host){.name = strdup(name), .slots = slots};
    return list[hosts->n++].name ? 0 : -ENOMEM;
}

/* Returns the number, or 0 if it is none. */
static uint64_t read_slots(const char *text)
{
    uint64_t slots;

    return tern_parse_uint(text, MAX_SLOTS, &slots) == 0 ? slots : 0;
}

/* Removes the brackets of [USER@][ADDRESS][:SLOTS]. Returns the position after them, or NULL. */
static char *take_brackets(char *text)
{
    char *open = strchr(text, '['), *end = open ? strchr(open, ']') : NULL;

    if (!end || (open > text && open[-1] != '@'))
        return NULL;
    memmove(open, open + 1, (size_t)(end - open));
    end[-1] = '\0';
    return end + 1;
}

/* Parses a host in `copy`, which is changed. `text` is for messages. */
static int take_host(struct tern_hosts *hosts, char *copy, const char *text, uint64_t slots,
                     const struct position *position)
{
    char *rest = strchr(copy, '['), *colon = strchr(copy, ':');
    const char *wrong;

    if (rest) {
        rest = take_brackets(copy);
        if (!rest || (*rest && *rest != ':'))
            return refuse(position, text, "is not a host's name or address");
        colon = *rest ? rest : NULL;
    } else if (colon && strchr(colon + 1, ':')) {
        colon = NULL; /* an address without brackets */
    }
    if (colon) {
        *colon = '\0';
        slots = read_slots(colon + 1);
        if (!slots)
            return refuse(position, text, "should end with a number of PEs after the colon");
    }
    wrong = check_name(copy);
    return wrong ? refuse(position, text, wrong) : add(hosts, copy, slots);
}

/* Parses a host of a list, or the first word of a file's line. */
static int read_host(struct tern_hosts *hosts, const char *text, uint64_t slots,
                     const struct position *position)
{
    char *copy = strdup(text);
    int r = copy ? take_host(hosts, copy, text, slots, position) : -ENOMEM;

    free(copy);
    return r;
}

int tern_hosts_add_list(struct tern_hosts *hosts, const char *list)
{
    const struct position position = {.file = NULL};
    char *copy = strdup(list), *rest = copy, *host;
    int r = copy ? 0 : -ENOMEM;

    while (!r && (host = strsep(&rest, ",")))
        r = read_host(hosts, host, 0, &position);
    free(copy);
    return r;
}

/* Parses "host", "host:4" or "host slots=4". The max_slots=N of other launchers is ignored. */
static int read_line(struct tern_hosts *hosts, char *line, const struct position *position)
{
    char *rest, *host, *word;
    uint64_t slots = 0;

    line[strcspn(line, "#\n")] = '\0';
    host = strtok_r(line, " \t\r", &rest);
    if (!host)
        return 0;
    while ((word = strtok_r(NULL, " \t\r", &rest))) {
        if (strncmp(word, "slots=", 6) == 0)
            slots = read_slots(word + 6);
        else if (strncmp(word, "max_slots=", 10) == 0 || strncmp(word, "max-slots=", 10) == 0)
            continue;
        if (!slots)
            return refuse(position, word, "should be slots=N");
    }
    return read_host(hosts, host, slots, position);
}

int tern_hosts_add_file(struct tern_hosts *hosts, const char *file)
{
    FILE *f = fopen(file, "re");
    struct position position = {.file = file};
    char *line = NULL;
    size_t room = 0, before = hosts->n;
    int r = 0;

    if (!f) {
        tern_error("the host file \"%s\" can't be read: %s", file, strerror(errno));
        return -EINVAL;
    }
    errno = 0;
    while (!r && getline(&line, &room, f) >= 0) {
        position.line++;
        r = read_line(hosts, line, &position);
    }
    if (!r && ferror(f)) {
        tern_error("the host file \"%s\" can't be read: %s", file, strerror(errno));
        r = -EINVAL;
    } else if (!r && hosts->n == before) {
        tern_error("the host file \"%s\" names no host", file);
        r = -EINVAL;
    }
    free(line);
    fclose(f);
    return r;
}

bool tern_hosts_are_local(const struct tern_hosts *hosts)
{
    char self[256] = "", short_self[256] = "";
    const char *own[] = {"localhost", "127.0.0.1", "::1", self, short_self};
    size_t n_own = sizeof own / sizeof own[0];

    gethostname(self, sizeof self - 1);
    memcpy(short_self, self, strcspn(self, "."));
    for (size_t i = 0; i < hosts->n; i++) {
        size_t j = 0;

        while (j < n_own && strcasecmp(hosts->list[i].name, own[j]) != 0)
            j++;
        if (j == n_own)
            return false;
    }
    return true;
}

uint64_t tern_hosts_capacity(const struct tern_hosts *hosts, uint64_t per_host)
{
    uint64_t room = 0;
    bool given = false;

    if (per_host)
        return hosts->n * per_host;
    for (size_t i = 0; i < hosts->n; i++) {
        given |= hosts->list[i].slots > 0;
        room += hosts->list[i].slots ? hosts->list[i].slots : 1;
    }
    return given ? room : 0;
}

int tern_hosts_distribute(struct tern_hosts *hosts, uint64_t n_pes, uint64_t per_host)
{
    uint64_t room = tern_hosts_capacity(hosts, per_host), left = n_pes;

    if (room && n_pes > room) {
        tern_error("%llu PEs exceed the %llu that the hosts take by %s", (unsigned long long)n_pes,
                   (unsigned long long)room, per_host ? "-N" : "their slots");
        return -EINVAL;
    }
    for (size_t i = 0; i < hosts->n; i++) {
        struct tern_host *host = &hosts->list[i];
        uint64_t share = (left + hosts->n - i - 1) / (hosts->n - i);

        if (room)
            share = per_host ? per_host : host->slots ? host->slots : 1;
        host->n_pes = share < left ? share : left;
        left -= host->n_pes;
    }
    return 0;
}

void tern_hosts_free(struct tern_hosts *hosts)
{
    for (size_t i = 0; i < hosts->n; i++)
        free(hosts->list[i].name);
    free(hosts->list);
}
