/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches for the library and its programs beside this one. */
#include "info/place.h"

#include "launch/tools/installed.h"

void tern_place_find(struct tern_installation *installation)
{
    tern_installed_find(TERN_LIBDIR "/libtern.so", "../libtern.so", installation->library);
    tern_installed_find("oshrun", "../launch/oshrun", installation->oshrun);
    tern_installed_find(TERN_LIBDIR "/tern/self-test", "self-test", installation->self_test);
}
