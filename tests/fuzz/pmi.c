/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers of a launcher that speaks PMI-1 or PMI-2: the first byte chooses, the rest is sent. */
#include <sys/socket.h>
#include <unistd.h>

#include "boot/external/pmi_session.h"
#include "fuzz/target.h"

static void take_fields(const struct tern_pmi_reply *reply)
{
    static const char *const names[] = {"value", "rc", "vallen_max", "kvsname", "pmi_version"};
    char text[300];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        tern_pmi_reply_copy(reply, names[i], text, sizeof text);
        tern_pmi_reply_copy(reply, names[i], text, 2);
        tern_pmi_reply_is(reply, names[i], "0");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct tern_pmi_reply reply = {.version = bytes && data[0] % 2 ? 2 : 1};
    int ends[2];

    if (!bytes || bytes > 30000 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 0;
    if (write(ends[1], data + 1, bytes - 1) < 0)
        abort();
    close(ends[1]);
    while (tern_pmi_wire_receive(ends[0], reply.version, reply.text, NULL) == 0)
        take_fields(&reply);
    close(ends[0]);
    return 0;
}
