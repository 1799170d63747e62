# SPDX-License-Identifier: BSD-3-Clause
"""What tests have inherited from whoever started them, and must not pass on."""
import signal


def take_signals_back():
    """nohup, and shells in the background, have some ignored, and so would all that is started."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
