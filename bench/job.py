# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that are measured: one that takes too long ends with all that it started."""
import os
import signal
import subprocess


def stop(process):
    """Ends a job that takes too long, and all that it started; what it still wrote."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def run(command, env, seconds, good=(0,)):
    """What it wrote, and None or what went wrong."""
    process = subprocess.Popen(command, env=env, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return stop(process), f"given up after {seconds} s"
    except BaseException:  # an interrupted run leaves nothing behind
        os.killpg(process.pid, signal.SIGKILL)
        raise
    if process.returncode in good:
        return output, None
    told = [line for line in errors.splitlines() if "signal" in line or "error" in line]
    return output, (told or errors.strip().splitlines() or [f"status {process.returncode}"])[0]
