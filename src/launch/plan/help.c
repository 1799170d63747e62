/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of --help. */
#include "launch/plan/help.h"

#include <stdio.h>

#include "base/tool_protocol.h"

void tern_help_print(void)
{
    fputs("usage: oshrun [-n PES] [options] program [arguments] [: -n PES ... program ...]\n"
          "Starts an OpenSHMEM job: PES processes that run the program.\n"
          "\n"
          "  -n, -np PES           number of PEs; by default one for each usable core\n"
          "  -H, --hosts A:2,B     start them on these hosts (2: how many PEs A takes) by\n"
          "      --hostfile FILE   the launcher that is installed: srun, mpirun or Hydra\n"
          "  -N, --per-host PES    number of PEs on each host\n"
          "      --launcher NAME   srun, prterun, mpirun, hydra, or the path of one\n"
          "  -x, --env NAME=VALUE  set a variable (PEs inherit the environment anyway)\n"
          "  -C, --wdir DIR        run the program in this directory\n"
          "      --bind core       bind each PE to a core, round robin (default: none)\n"
          "      --chaos SEED      reorder puts as far as allowed: exposes missing fences\n"
          "      --check[=WORDS]   report incorrect calls [stop, races, or stop,races]\n"
          "      --hang-timeout S  with --check, report after S s what PEs wait for (30)\n"
          "      --profile         report where time goes, in " TERN_PROFILE_FOLDER "/report.html\n"
          "      --timeout SECONDS end the job after this time, with status 124\n"
          "  -l, --tag-output      begin each line of output with its PE, as in \"[3] \"\n"
          "  -v, --verbose         report what is started and how it ends\n"
          "  -V, --version, -h, --help [--all]: version; this [other launchers' flags]\n"
          "      --                the options end here; later colons are arguments\n"
          "\n"
          "-n, -x and -C apply to the program that follows. PE 0 reads standard input.\n"
          "Scripts can use TERN_PE, TERN_N_PES, TERN_LOCAL_PE, TERN_LOCAL_N_PES. The exit\n"
          "status is that of the first PE that failed (128 + its signal), or 126 or 127.\n",
          stdout);
}
