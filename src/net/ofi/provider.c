/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses one of libfabric's providers for the job, and explains why the others are refused. */
#include "net/ofi/provider.h"

#include <errno.h>
#include <netinet/in.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/text_buffer.h"
#include "net/ofi/address.h"
#include "net/ofi/endpoint.h"
#include "net/ofi/engine.h"
#include "net/ofi/environment.h"
#include "net/ofi/kernel_symbols.h"
#include "net/ofi/log.h"

/* Modes and registration that providers may require, and the engine supports. */
#define MR_MODE (FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT)
#define MODE (FI_CONTEXT | FI_CONTEXT2 | FI_RX_CQ_DATA) /* the last: no such data is sent */
#define CAPS (FI_MSG | FI_RMA)
#define ORDERS (FI_ORDER_SAS | FI_ORDER_RMA_WAW)

/* Providers that fit but are taken only when SHMEM_PROVIDER names them. */
static const struct {
    const char *name; /* the beginning of the provider's, or the layer at its end */
    const char *why;
} on_request[] = {
    {"shm", "it reaches PEs of this machine only"},
    {"sockets", "libfabric has tcp;ofi_rxm in its place"},
    {"net", "it is an experimental form of tcp;ofi_rxm"},
    {"lnx", "it carries no RMA"},
    {"ofi_rxd", "it sends datagrams, which tcp;ofi_rxm outdoes"},
    {"udp", "it sends datagrams, which tcp;ofi_rxm outdoes"},
};

/* One way of reaching peers that libfabric knows. */
struct candidate {
    struct fi_info *info; /* in the list's or one that only explains */
    int rank;             /* the lowest is tried first */
    char address[INET6_ADDRSTRLEN];
    char refusal[240]; /* empty: none so far */
};

struct candidates {
    struct fi_info *fitting, *every;
    struct candidate *all;
    int n;
    int error; /* -FI_ENOMEM: the list is incomplete */
};

static struct fi_info *make_hints(uint64_t caps)
{
    struct fi_info *hints = fi_allocinfo();

    if (!hints)
        return NULL;
    hints->caps = caps;
    hints->mode = MODE;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = MR_MODE;
    hints->domain_attr->threading = FI_THREAD_SAFE;
    hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
    hints->tx_attr->op_flags = FI_DELIVERY_COMPLETE; /* must be there; asked for in each put */
    return hints;
}

static struct fi_info *query(uint64_t caps, uint64_t order)
{
    struct fi_info *hints = make_hints(caps), *found = NULL;

    if (!hints)
        return NULL;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = order;
    if (fi_getinfo(OFI_VERSION, NULL, NULL, 0, hints, &found))
        found = NULL;
    fi_freeinfo(hints);
    return found;
}

static bool has_provider(const struct fi_info *list, const char *name)
{
    for (; list; list = list->next)
        if (!strcmp(list->fabric_attr->prov_name, name))
            return true;
    return false;
}

/* Appends those of `more` whose provider is not in the list yet. */
static struct fi_info *merge(struct fi_info *list, struct fi_info *more)
{
    struct fi_info **end = &list, *added = NULL, **added_end = &added;

    while (more) {
        struct fi_info *next = more->next;

        more->next = NULL;
        if (has_provider(list, more->fabric_attr->prov_name)) {
            fi_freeinfo(more);
        } else {
            *added_end = more;
            added_end = &more->next;
        }
        more = next;
    }
    while (*end)
        end = &(*end)->next;
    *end = added;
    return list;
}

/* Providers with all useful features; then those without them. */
static struct fi_info *query_fitting(void)
{
    struct fi_info *list = query(CAPS | FI_MULTI_RECV, ORDERS);

    list = merge(list, query(CAPS | FI_MULTI_RECV, 0));
    return merge(list, query(CAPS, 0));
}

/* ---- refusals ---- */

static const struct sockaddr *source_of(const struct fi_info *info)
{
    return info->src_addrlen && ofi_address_is_ip(info->addr_format) ? info->src_addr : NULL;
}

static bool begins(const char *name, const char *with)
{
    size_t n = strlen(with);

    return !strncasecmp(name, with, n) && (name[n] == '\0' || name[n] == ';');
}

static bool is_layered_on(const char *name, const char *layer)
{
    const char *last = strrchr(name, ';');

    return last && !strcasecmp(last + 1, layer);
}

static bool is_wished(const struct tern_net_host *host, const char *name)
{
    return host->provider && begins(name, host->provider);
}

static const char *why_on_request(const char *name)
{
    for (size_t i = 0; i < sizeof on_request / sizeof *on_request; i++)
        if (begins(name, on_request[i].name) || is_layered_on(name, on_request[i].name))
            return on_request[i].why;
    return NULL;
}

/* For one that libfabric does not offer with the engine's hints. */
static void explain_misfit(struct candidate *c)
{
    const struct fi_info *info = c->info;
    const char *why = "it does not offer completion at the target, or not all else that is needed";

    if (info->ep_attr->type != FI_EP_RDM)
        why = "it has no reliable datagram endpoints";
    else if (!(info->caps & FI_RMA))
        why = "it has no RMA";
    else if (!(info->caps & FI_MSG))
        why = "it has no messages";
    else if (info->domain_attr->mr_mode & ~(MR_MODE | 3))
        why = "it wants memory to be registered in a way that Tern does not serve";
    snprintf(c->refusal, sizeof c->refusal, "%s", why);
}

static void judge(struct candidate *c, const struct tern_net_host *host)
{
    const char *name = c->info->fabric_attr->prov_name, *domain = c->info->domain_attr->name;
    const char *why = why_on_request(name);

    if (host->provider && !is_wished(host, name))
        snprintf(c->refusal, sizeof c->refusal, "SHMEM_PROVIDER is %s", host->provider);
    else if (!host->provider && why)
        snprintf(c->refusal, sizeof c->refusal, "%s; SHMEM_PROVIDER may name it", why);
    else if (host->interface && strcmp(host->interface, domain) &&
             strcmp(host->interface, c->address) && !ofi_address_is_of(host->interface, c->address))
        snprintf(c->refusal, sizeof c->refusal, "SHMEM_INTERFACE is %s", host->interface);
    else if (!host->interface && !host->loopback && ofi_address_is_loopback(c->address))
        snprintf(c->refusal, sizeof c->refusal, "it reaches this machine only");
}

/* Bridges to containers and virtual machines of one host lead nowhere else. */
static bool is_inner(const char *interface)
{
    return !strncmp(interface, "docker", 6) || !strncmp(interface, "virbr", 5) ||
           !strncmp(interface, "lxc", 3) || !strncmp(interface, "podman", 6);
}

/* Among those of one provider; libfabric's order decides between equals. */
static int rank_of(const struct candidate *c, const struct tern_net_host *host)
{
    if (host->loopback && ofi_address_is_loopback(c->address))
        return strchr(c->address, ':') ? 1 : 0;
    if (is_inner(c->info->domain_attr->name))
        return 5;
    if (!strncmp(c->address, "fe80:", 5))
        return 4; /* means something on one link only */
    return strchr(c->address, ':') ? 3 : 2;
}

/* ---- the list ---- */

static bool is_known(const struct candidates *list, const struct candidate *c)
{
    for (int i = 0; i < list->n; i++)
        if (!strcmp(list->all[i].info->fabric_attr->prov_name, c->info->fabric_attr->prov_name) &&
            !strcmp(list->all[i].info->domain_attr->name, c->info->domain_attr->name) &&
            !strcmp(list->all[i].address, c->address))
            return true;
    return false;
}

static void add(struct candidates *list, struct fi_info *info, const struct tern_net_host *host,
                bool fits)
{
    struct candidate c = {.info = info};
    struct candidate *all;

    ofi_address_text(source_of(info), c.address, sizeof c.address);
    if (is_known(list, &c))
        return;
    all = realloc(list->all, (size_t)(list->n + 1) * sizeof *all);
    if (!all) {
        list->error = -FI_ENOMEM;
        return;
    }
    list->all = all;
    c.rank = rank_of(&c, host);
    if (fits)
        judge(&c, host);
    else
        explain_misfit(&c);
    list->all[list->n++] = c;
}

static void make_list(struct candidates *list, const struct tern_net_host *host)
{
    *list = (struct candidates){.error = ofi_environment_set_defaults(host->n_pes)};
    if (list->error)
        return;
    ofi_kernel_symbols_hide();
    list->fitting = query_fitting();
    ofi_kernel_symbols_show();
    ofi_environment_restore();
    for (struct fi_info *i = list->fitting; i; i = i->next)
        add(list, i, host, true);
}

/* Adds the providers that do not fit: each has its reason, which only a reader wants to know. */
static void add_misfits(struct candidates *list, const struct tern_net_host *host)
{
    if (fi_getinfo(OFI_VERSION, NULL, NULL, 0, NULL, &list->every))
        list->every = NULL;
    for (struct fi_info *i = list->every; i; i = i->next)
        if (!has_provider(list->fitting, i->fabric_attr->prov_name))
            add(list, i, host, false);
}

static void free_list(struct candidates *list)
{
    fi_freeinfo(list->fitting);
    fi_freeinfo(list->every);
    free(list->all);
}

static bool same_provider(const struct candidate *a, const struct candidate *b)
{
    return !strcmp(a->info->fabric_attr->prov_name, b->info->fabric_attr->prov_name);
}

/* The best that is not refused yet: on one machine its loopback, else libfabric's first. */
static struct candidate *pick(struct candidates *list, const struct tern_net_host *host)
{
    struct candidate *best = NULL;

    for (int i = 0; i < list->n; i++) {
        struct candidate *c = &list->all[i];
        bool home = host->loopback && c->rank < 2;

        if (c->refusal[0])
            continue;
        if (!best || ((home || same_provider(best, c)) && c->rank < best->rank))
            best = c;
    }
    return best;
}

/* ---- output ---- */

#define LINE 400

static const char *verdict_of(const struct candidate *c, const struct candidate *best)
{
    if (c->refusal[0])
        return c->refusal;
    return c == best ? "would be used" : "would do as well";
}

static bool same_domain(const struct candidate *a, const struct candidate *b)
{
    return !strcmp(a->info->domain_attr->name, b->info->domain_attr->name);
}

/* Appends where c leads: " over eth0 (192.0.2.1)", shorter if the line has said a part already. */
static void append_place(char *line, const struct candidate *c, const struct candidate *before)
{
    bool more = before && same_domain(c, before);
    const char *between = before ? ", " : " over ";

    if (more && c->address[0])
        tern_text_buffer_add(line, LINE, ", %s", c->address);
    else if (!more)
        tern_text_buffer_add(line, LINE, "%s%s%s%s", between, c->info->domain_attr->name,
                             c->address[0] ? " " : "", c->address);
}

/* Each provider with its verdict; adjacent ones with the same verdict share a line. */
static void list_all(const struct candidates *list, const struct candidate *best,
                     void (*say)(void *arg, const char *line), void *arg)
{
    for (int i = 0, next; i < list->n; i = next) {
        const struct candidate *first = &list->all[i];
        const char *verdict = verdict_of(first, best);
        char line[LINE] = "";

        tern_text_buffer_add(line, LINE, "%s", first->info->fabric_attr->prov_name);
        append_place(line, first, NULL);
        for (next = i + 1; next < list->n && same_provider(first, &list->all[next]) &&
                           !strcmp(verdict, verdict_of(&list->all[next], best));
             next++)
            append_place(line, &list->all[next], &list->all[next - 1]);
        tern_text_buffer_add(line, LINE, ": %s", verdict);
        say(arg, line);
    }
}

static void say_error(void *host, const char *line)
{
    ofi_log(((const struct tern_net_host *)host)->error, "  %s", line);
}

static void report(const struct candidates *list, const struct tern_net_host *host)
{
    const char *filter = getenv("FI_PROVIDER");

    ofi_log(host->error,
            "no provider of libfabric reaches the other nodes%s%s%s%s" TERN_SEE("Networks"),
            host->provider ? " as SHMEM_PROVIDER asks: " : "", host->provider ? host->provider : "",
            filter ? "; FI_PROVIDER is set: " : "", filter ? filter : "");
    list_all(list, NULL, say_error, (void *)host);
    if (!list->n)
        host->error("  libfabric has found no provider at all: see what fi_info says");
}

/*
 * Whether memory, descriptors or random numbers (FI_ENODATA) have run out. PEs that have more would
 * choose this provider, and could not reach a PE with another one.
 */
static bool is_shortage(int problem)
{
    return problem == -FI_ENOMEM || problem == -FI_EMFILE || problem == -ENFILE ||
           problem == -FI_ENODATA;
}

static void report_shortage(const struct candidate *c, const struct tern_net_host *host,
                            int problem, const char *obstacle)
{
    char why[TERN_LIMIT_ERROR_BYTES], line[LINE] = "libfabric's provider ";

    ofi_log_explain(problem, why);
    tern_text_buffer_add(line, LINE, "%s", c->info->fabric_attr->prov_name);
    append_place(line, c, NULL);
    tern_text_buffer_add(line, LINE, " can't be opened: %s", obstacle[0] ? obstacle : why);
    ofi_log(host->error, "%s; SHMEM_PROVIDER can name another" TERN_SEE("Networks"), line);
}

/* A provider that is missing from the list may be the one that the other PEs choose. */
static int refuse_list(struct candidates *list, const struct tern_net_host *host)
{
    char why[TERN_LIMIT_ERROR_BYTES];
    int r = list->error;

    ofi_log_explain(r, why);
    ofi_log(host->error, "libfabric's providers can't be listed: %s", why);
    free_list(list);
    return r;
}

int ofi_provider_choose(const struct tern_net_host *host, int (*try)(struct fi_info *info))
{
    struct candidates list;
    struct candidate *c;
    int r = -ENETUNREACH;

    make_list(&list, host);
    if (list.error)
        return refuse_list(&list, host);
    while ((c = pick(&list, host))) {
        struct fi_info *info = fi_dupinfo(c->info);
        int problem = info ? try(info) : -FI_ENOMEM;
        const char *obstacle = info ? ofi_endpoint_obstacle() : "";

        if (!problem) {
            r = 0;
            break;
        }
        fi_freeinfo(info);
        if (is_shortage(problem)) {
            report_shortage(c, host, problem, obstacle);
            free_list(&list);
            return problem;
        }
        snprintf(c->refusal, sizeof c->refusal, "it can't be opened: %s",
                 obstacle[0] ? obstacle : fi_strerror(-problem));
    }
    if (r) {
        add_misfits(&list, host);
        report(&list, host);
    }
    free_list(&list);
    return r;
}

void ofi_provider_survey(const struct tern_net_host *host,
                         void (*line)(void *arg, const char *text), void *arg)
{
    struct candidates list;
    struct candidate *best;
    char text[40];

    make_list(&list, host);
    if (!list.error)
        add_misfits(&list, host);
    best = pick(&list, host);
    snprintf(text, sizeof text, "libfabric %d.%d", FI_MAJOR(fi_version()), FI_MINOR(fi_version()));
    line(arg, text);
    list_all(&list, best, line, arg);
    if (list.error)
        line(arg, "the list is not complete: there is no memory for it");
    else if (!list.n)
        line(arg, "no provider at all: see what fi_info says");
    free_list(&list);
}
