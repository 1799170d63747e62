/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a job of several nodes would use on this machine, and why. */
#ifndef TERN_INFO_DOCTOR_H
#define TERN_INFO_DOCTOR_H

#include <stdio.h>

void tern_doctor_print(FILE *out);

#endif
