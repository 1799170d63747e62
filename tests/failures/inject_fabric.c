/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libfabric's functions. Most of them are calls through tables of the objects, so the tables of
 * each object that Tern opens are replaced by copies whose functions may fail.
 */
#include <dlfcn.h>
#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdlib.h>
#include <string.h>

#include "inject.h"

#define EXPORT __attribute__((visibility("default")))

/* The engine is loaded privately, so its libfabric is not behind RTLD_NEXT. */
static void *real_function(const char *name)
{
    void *library = dlopen("libfabric.so.1", RTLD_NOLOAD | RTLD_LAZY);
    void *function = library ? dlsym(library, name) : NULL;

    if (!function)
        abort();
    return function;
}

/* A copy of a table, followed by the table itself. */
#define COPY_OF(type)                                                                              \
    struct my_##type {                                                                             \
        struct type ops;                                                                           \
        struct type *real;                                                                         \
    };                                                                                             \
    static struct type *real_##type(struct type *ops)                                              \
    {                                                                                              \
        return ((struct my_##type *)ops)->real;                                                    \
    }                                                                                              \
    static struct type *copy_##type(struct type *real)                                             \
    {                                                                                              \
        struct my_##type *my = calloc(1, sizeof *my);                                              \
                                                                                                   \
        if (!my)                                                                                   \
            abort();                                                                               \
        memcpy(&my->ops, real, real->size < sizeof my->ops ? real->size : sizeof my->ops);         \
        my->real = real;                                                                           \
        return &my->ops;                                                                           \
    }

COPY_OF(fi_ops)
COPY_OF(fi_ops_fabric)
COPY_OF(fi_ops_domain)
COPY_OF(fi_ops_mr)
COPY_OF(fi_ops_ep)
COPY_OF(fi_ops_cm)
COPY_OF(fi_ops_msg)
COPY_OF(fi_ops_rma)
COPY_OF(fi_ops_cq)
COPY_OF(fi_ops_av)

#define FAIL(name, error)                                                                          \
    if (FAILS(name))                                                                               \
    return -error

/* ---- all objects ---- */

static int my_bind(struct fid *fid, struct fid *other, uint64_t flags)
{
    FAIL("fi_bind", FI_ENOMEM);
    return real_fi_ops(fid->ops)->bind(fid, other, flags);
}

static int my_control(struct fid *fid, int command, void *arg)
{
    FAIL(command == FI_ENABLE ? "fi_enable" : "fi_control", FI_ENOMEM);
    return real_fi_ops(fid->ops)->control(fid, command, arg);
}

static void wrap_fid(struct fid *fid)
{
    fid->ops = copy_fi_ops(fid->ops);
    fid->ops->bind = my_bind;
    fid->ops->control = my_control;
}

/* ---- memory regions and address vectors ---- */

static int my_reg(struct fid *fid, const void *start, size_t bytes, uint64_t access,
                  uint64_t offset, uint64_t key, uint64_t flags, struct fid_mr **mr, void *context)
{
    struct fid_domain *domain = (struct fid_domain *)fid;
    int r;

    FAIL("fi_mr_reg", FI_ENOMEM);
    r = real_fi_ops_mr(domain->mr)->reg(fid, start, bytes, access, offset, key, flags, mr, context);
    if (!r)
        wrap_fid(&(*mr)->fid);
    return r;
}

static int my_insert(struct fid_av *av, const void *address, size_t n, fi_addr_t *to,
                     uint64_t flags, void *context)
{
    FAIL("fi_av_insert", FI_ENOMEM);
    return real_fi_ops_av(av->ops)->insert(av, address, n, to, flags, context);
}

static int my_av_open(struct fid_domain *domain, struct fi_av_attr *attr, struct fid_av **av,
                      void *context)
{
    int r;

    FAIL("fi_av_open", FI_ENOMEM);
    r = real_fi_ops_domain(domain->ops)->av_open(domain, attr, av, context);
    if (!r) {
        wrap_fid(&(*av)->fid);
        (*av)->ops = copy_fi_ops_av((*av)->ops);
        (*av)->ops->insert = my_insert;
    }
    return r;
}

/* ---- completion queues ---- */

static struct fi_cq_err_entry broken; /* what readerr() returns next */

/* Also turns a completion into an error, which is how most failures of a network are reported. */
static ssize_t my_read(struct fid_cq *cq, void *to, size_t n)
{
    ssize_t got;

    FAIL("fi_cq_read", FI_EIO);
    if (broken.err)
        return -FI_EAVAIL;
    got =
        real_fi_ops_cq(cq->ops)->read(cq, to, n < 1 ? n : 1); /* one, which may be the broken one */
    if (got > 0 && FAILS("completion")) {
        struct fi_cq_data_entry *first = to;

        broken = (struct fi_cq_err_entry){
            .op_context = first->op_context, .flags = first->flags, .err = FI_EIO};
        return -FI_EAVAIL;
    }
    return got;
}

static ssize_t my_readerr(struct fid_cq *cq, struct fi_cq_err_entry *entry, uint64_t flags)
{
    FAIL("fi_cq_readerr", FI_EIO);
    if (!broken.err)
        return real_fi_ops_cq(cq->ops)->readerr(cq, entry, flags);
    *entry = broken;
    broken.err = 0;
    return 1;
}

static const char *my_strerror(struct fid_cq *cq, int error, const void *data, char *to, size_t n)
{
    return real_fi_ops_cq(cq->ops)->strerror(cq, error, data, to, n);
}

static int my_cq_open(struct fid_domain *domain, struct fi_cq_attr *attr, struct fid_cq **cq,
                      void *context)
{
    int r;

    FAIL("fi_cq_open", FI_ENOMEM);
    r = real_fi_ops_domain(domain->ops)->cq_open(domain, attr, cq, context);
    if (!r) {
        wrap_fid(&(*cq)->fid);
        (*cq)->ops = copy_fi_ops_cq((*cq)->ops);
        (*cq)->ops->read = my_read;
        (*cq)->ops->readerr = my_readerr;
        (*cq)->ops->strerror = my_strerror;
    }
    return r;
}

/* ---- endpoints ---- */

static int my_setopt(struct fid *fid, int level, int name, const void *value, size_t n)
{
    struct fid_ep *ep = (struct fid_ep *)fid;

    FAIL("fi_setopt", FI_ENOPROTOOPT);
    return real_fi_ops_ep(ep->ops)->setopt(fid, level, name, value, n);
}

static int my_getname(struct fid *fid, void *to, size_t *n)
{
    struct fid_ep *ep = (struct fid_ep *)fid;

    FAIL("fi_getname", FI_ENOMEM);
    return real_fi_ops_cm(ep->cm)->getname(fid, to, n);
}

static ssize_t my_send(struct fid_ep *ep, const void *bytes, size_t n, void *desc, fi_addr_t to,
                       void *context)
{
    FAIL("fi_send", FI_EIO);
    return real_fi_ops_msg(ep->msg)->send(ep, bytes, n, desc, to, context);
}

static ssize_t my_recvmsg(struct fid_ep *ep, const struct fi_msg *message, uint64_t flags)
{
    FAIL("fi_recvmsg", FI_ENOMEM);
    return real_fi_ops_msg(ep->msg)->recvmsg(ep, message, flags);
}

static ssize_t my_writemsg(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags)
{
    FAIL("fi_writemsg", FI_EIO);
    return real_fi_ops_rma(ep->rma)->writemsg(ep, message, flags);
}

static ssize_t my_readmsg(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags)
{
    FAIL("fi_readmsg", FI_EIO);
    return real_fi_ops_rma(ep->rma)->readmsg(ep, message, flags);
}

static int my_endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep,
                       void *context)
{
    int r;

    FAIL("fi_endpoint", FI_ENOMEM);
    r = real_fi_ops_domain(domain->ops)->endpoint(domain, info, ep, context);
    if (!r) {
        struct fid_ep *e = *ep;

        wrap_fid(&e->fid);
        e->ops = copy_fi_ops_ep(e->ops);
        e->cm = copy_fi_ops_cm(e->cm);
        e->msg = copy_fi_ops_msg(e->msg);
        e->rma = copy_fi_ops_rma(e->rma);
        e->ops->setopt = my_setopt;
        e->cm->getname = my_getname;
        e->msg->send = my_send;
        e->msg->recvmsg = my_recvmsg;
        e->rma->writemsg = my_writemsg;
        e->rma->readmsg = my_readmsg;
    }
    return r;
}

/* ---- where objects come from ---- */

static int my_domain(struct fid_fabric *fabric, struct fi_info *info, struct fid_domain **domain,
                     void *context)
{
    int r;

    FAIL("fi_domain", FI_ENOMEM);
    r = real_fi_ops_fabric(fabric->ops)->domain(fabric, info, domain, context);
    if (!r) {
        struct fid_domain *d = *domain;

        wrap_fid(&d->fid);
        d->ops = copy_fi_ops_domain(d->ops);
        d->mr = copy_fi_ops_mr(d->mr);
        d->ops->av_open = my_av_open;
        d->ops->cq_open = my_cq_open;
        d->ops->endpoint = my_endpoint;
        d->mr->reg = my_reg;
    }
    return r;
}

static int my_trywait(struct fid_fabric *fabric, struct fid **fids, int n)
{
    FAIL("fi_trywait", FI_EIO);
    return real_fi_ops_fabric(fabric->ops)->trywait(fabric, fids, n);
}

EXPORT int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context)
{
    static __typeof__(&fi_fabric) real;
    int r;

    if (!real)
        real = (__typeof__(&fi_fabric))real_function("fi_fabric");
    FAIL("fi_fabric", FI_ENOMEM);
    r = real(attr, fabric, context);
    if (!r && inject_counts(__builtin_return_address(0))) {
        (*fabric)->ops = copy_fi_ops_fabric((*fabric)->ops);
        (*fabric)->ops->domain = my_domain;
        (*fabric)->ops->trywait = my_trywait;
    }
    return r;
}

EXPORT int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
                      const struct fi_info *hints, struct fi_info **found)
{
    static __typeof__(&fi_getinfo) real;

    if (!real)
        real = (__typeof__(&fi_getinfo))real_function("fi_getinfo");
    FAIL("fi_getinfo", FI_ENOMEM);
    return real(version, node, service, flags, hints, found);
}

EXPORT struct fi_info *fi_dupinfo(const struct fi_info *info)
{
    static __typeof__(&fi_dupinfo) real;

    if (!real)
        real = (__typeof__(&fi_dupinfo))real_function("fi_dupinfo");
    if (FAILS("fi_dupinfo"))
        return NULL;
    return real(info);
}
