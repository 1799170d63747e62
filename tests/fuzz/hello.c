/* SPDX-License-Identifier: BSD-3-Clause */
/* What another PE may have published through a launcher: hello records, and packed cards. */
#include "boot/external/hello.h"

#include "boot/external/card_bytes.h"
#include "boot/text.h"
#include "fuzz/target.h"

static void read_hello(const char *text)
{
    struct tern_hello hellos[2];
    char answer[300], written[TERN_HELLO_BYTES];

    if (tern_hello_read(text, &hellos[0]) != 0)
        return;
    hellos[1] = hellos[0];
    hellos[1].place.machine++;
    tern_hello_compare(hellos, 2, 0, answer, sizeof answer);
    tern_hello_share(hellos, 2);
    if (hellos[0].protocol == TERN_HELLO_PROTOCOL)
        tern_hello_write(&hellos[0], written);
}

/* What is restored is written in the same way, or shorter. */
static void read_cards(const char *text)
{
    size_t n = strlen(text) * 3 / 4, at = 0, used;
    unsigned char *bytes = malloc(n + 1), again[TERN_CARD_BYTES_MOST];
    struct tern_boot_card card, back;

    if (!bytes)
        abort();
    if (tern_text_unpack(text, bytes, n) == 0)
        while ((used = tern_card_bytes_restore(bytes + at, n - at, &card))) {
            size_t shorter = tern_card_bytes_shorten(&card, again);

            if (used > n - at || tern_card_bytes_restore(again, shorter, &back) != shorter ||
                memcmp(&card, &back, sizeof card) != 0)
                abort();
            at += used;
        }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = text_of(data, bytes);

    read_hello(text);
    read_cards(text);
    free(text);
    return 0;
}
