/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of this PE and of PEs in the job, known after the first init. */
#ifndef TERN_CHECK_IDENTITY_H
#define TERN_CHECK_IDENTITY_H

struct tern_check_identity {
    int pe, n_pes; /* -1 and 0 before that */
};
extern struct tern_check_identity tern_check_identity;

static inline int tern_check_my_pe(void)
{
    return tern_check_identity.pe;
}

static inline int tern_check_n_pes(void)
{
    return tern_check_identity.n_pes;
}

#endif
