/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE's session with a launcher on a PMI socket: commands, and the fields of their answers. */
#ifndef TERN_BOOT_EXTERNAL_PMI_SESSION_H
#define TERN_BOOT_EXTERNAL_PMI_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/compiler.h"
#include "boot/external/pmi_wire.h"

/*
 * An MPI library in the same program may use the same socket, in calls that do not overlap with
 * Tern's, and closes it in MPI_Finalize.
 */
struct tern_pmi_session {
    struct tern_pmi_wire wire;
    dev_t device; /* of the socket, to notice when the descriptor has become another file's */
    ino_t inode;
    bool connected;
    bool leaves; /* the PE has done its work: what breaks now is worth a warning */
};

/* An answer; each call has its own, since one that leaves the launcher may overlap with others. */
struct tern_pmi_reply {
    int version; /* of PMI; fields are separated by blanks in version 1, by semicolons in 2 */
    char text[TERN_PMI_MESSAGE_BYTES];
};

/* Takes the descriptor for the session; NULL, or why it can't be used. */
const char *tern_pmi_session_find_obstacle(struct tern_pmi_session *s, int fd);

/* From any thread: whether commands can be sent. Not before _open(), nor after _close(). */
bool tern_pmi_session_is_open(const struct tern_pmi_session *s);
void tern_pmi_session_open(struct tern_pmi_session *s);
void tern_pmi_session_close(struct tern_pmi_session *s);

/* The launcher's process on this machine; 0 if it can't be seen. */
pid_t tern_pmi_session_launcher(const struct tern_pmi_session *s);

/*
 * Sends a command and receives its reply, which has to be the named answer, without an error. 0, or
 * -errno after a message.
 */
int tern_pmi_session_ask(struct tern_pmi_session *s, struct tern_pmi_reply *reply,
                         const char *answer, const char *format, ...) TERN_PRINTF(4, 5);

/* Prints that the reply to the command makes no sense; -EPROTO. */
int tern_pmi_session_misunderstood(const struct tern_pmi_session *s, const char *command,
                                   const struct tern_pmi_reply *reply);

/* The value of a field of the reply: 0, or -EPROTO if there is none or it is longer. */
int tern_pmi_reply_copy(const struct tern_pmi_reply *reply, const char *name, char *to,
                        size_t bytes);

/* Whether the reply has the field with that value. */
bool tern_pmi_reply_is(const struct tern_pmi_reply *reply, const char *name, const char *wanted);

#endif
