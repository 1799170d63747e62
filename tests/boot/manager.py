# SPDX-License-Identifier: BSD-3-Clause
"""A process manager of the tests: speaks PMI-1 and PMI-2 with PEs, correctly or otherwise."""
import os
import selectors
import socket
import subprocess
import time

SECONDS = 30


class Manager:
    """Starts n PEs, and answers what they ask for, until all have ended.

    change(pe, command, answer) may return another answer; None hangs up. Commands and answers are
    texts without their frames; what change() returns as bytes is sent as it is. log has all
    commands as (pe, text).
    """

    def __init__(self, n, *program, version=1, change=None, env=None, most_value=1024, delay=0,
                 dribble=False, once=False):
        self.n, self.version, self.change = n, version, change
        self.most_value, self.delay, self.dribble = most_value, delay, dribble
        self.once = once  # like Slurm, it takes one introduction a socket
        self.kvs = f"kvs_{os.getpid()}_{time.monotonic_ns()}"
        self.values, self.pending, self.log = {}, {}, []
        self.waiting = []
        self.aborted = None
        self.sockets, self.pes, self.buffers, self.inodes = [], [], [], []
        self.selector = selectors.DefaultSelector()
        for pe in range(n):
            self.start(pe, [str(word) for word in program], env or {})

    def start(self, pe, program, env):
        ours, theirs = socket.socketpair()
        words = {"PMI_FD": theirs.fileno(), "PMI_RANK": pe, "PMI_SIZE": self.n}
        if self.version == 2:
            words["PMI_JOBID"] = self.kvs
        words.update(env(pe) if callable(env) else env)
        words = {k: str(v) for k, v in words.items() if v is not None}
        self.pes.append(subprocess.Popen(
            program, pass_fds=[theirs.fileno()], env={**os.environ, **words},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        self.inodes.append(os.fstat(theirs.fileno()).st_ino)
        theirs.close()
        self.sockets.append(ours)
        self.buffers.append(b"")
        self.selector.register(ours, selectors.EVENT_READ, pe)

    # ---- the answers ----

    def frame(self, command, text):
        if isinstance(text, bytes):
            return text
        if self.version == 2 and not command.startswith("cmd=init "):
            return b"%6d%s" % (len(text), text.encode())
        return text.encode() + b"\n"

    def send(self, pe, command, answer):
        if self.change:
            answer = self.change(pe, command, answer)
        if answer is None:
            self.hang_up(pe)
            return
        time.sleep(self.delay)
        data = self.frame(command, answer)
        try:
            for part in [data[i:i + 1] for i in range(len(data))] if self.dribble else [data]:
                self.sockets[pe].sendall(part)
        except OSError:
            self.hang_up(pe)

    def hang_up(self, pe):
        if self.sockets[pe].fileno() >= 0:
            self.selector.unregister(self.sockets[pe])
            self.sockets[pe].close()

    def fence(self, pe, command, answer):
        self.waiting.append((pe, command, answer))
        if len(self.waiting) == self.n:
            self.values.update(self.pending)
            waiting, self.waiting = self.waiting, []
            for one in waiting:
                self.send(*one)

    def abort(self, status):
        self.aborted = status
        for pe in self.pes:
            pe.kill()

    def handle(self, pe, text):
        self.log.append((pe, text))
        words = dict(word.split("=", 1) for word in
                     text.split(";" if text.endswith(";") else " ") if "=" in word)
        command = words["cmd"]
        if command == "init" and self.once and self.said("cmd=init ").count(pe) > 1:
            self.hang_up(pe)
        elif command == "init":
            self.version = int(words["pmi_version"])
            self.send(pe, text, f"cmd=response_to_init pmi_version={words['pmi_version']} "
                                f"pmi_subversion={words['pmi_subversion']} rc=0")
        elif command == "get_maxes":
            self.send(pe, text, "cmd=maxes kvsname_max=256 keylen_max=64 "
                                f"vallen_max={self.most_value}")
        elif command == "get_my_kvsname":
            self.send(pe, text, f"cmd=my_kvsname kvsname={self.kvs}")
        elif command in ("put", "kvs-put"):
            assert len(words["value"]) < self.most_value, text
            self.pending[words["key"]] = words["value"]
            self.send(pe, text, "cmd=put_result rc=0 msg=success" if command == "put"
                      else "cmd=kvs-put-response;rc=0;")
        elif command == "barrier_in":
            self.fence(pe, text, "cmd=barrier_out")
        elif command == "kvs-fence":
            self.fence(pe, text, "cmd=kvs-fence-response;rc=0;")
        elif command == "get":
            value = self.values.get(words["key"])
            self.send(pe, text, f"cmd=get_result rc=0 msg=success value={value}" if value
                      else "cmd=get_result rc=-1 msg=key_not_found value=unknown")
        elif command == "kvs-get":
            value = self.values.get(words["key"])
            self.send(pe, text, f"cmd=kvs-get-response;flag=TRUE;value={value};rc=0;" if value
                      else "cmd=kvs-get-response;flag=FALSE;rc=0;")
        elif command == "fullinit":
            self.send(pe, text, "cmd=fullinit-response;pmi-version=2;pmi-subversion=0;"
                                f"rank={words['pmirank']};size={self.n};appnum=0;rc=0;")
        elif command == "finalize":
            self.send(pe, text, "cmd=finalize_ack" if self.version == 1
                      else "cmd=finalize-response;rc=0;")
            self.hang_up(pe)
        elif command == "abort":
            self.abort(int(words["exitcode"]) if "exitcode" in words else words["msg"])
        else:
            raise AssertionError(f"PE {pe} sends {text!r}")

    # ---- what PEs send ----

    def take(self, pe):
        """The next whole command in the buffer, or None."""
        buffer = self.buffers[pe]
        if buffer.startswith(b"cmd="):
            end = buffer.find(b"\n")
            if end < 0:
                return None
            self.buffers[pe] = buffer[end + 1:]
            return buffer[:end].decode()
        if len(buffer) < 6 or len(buffer) < 6 + int(buffer[:6]):
            return None
        end = 6 + int(buffer[:6])
        self.buffers[pe] = buffer[end:]
        return buffer[6:end].decode()

    def serve(self, seconds):
        """Answers whatever comes in that time."""
        for key, _ in self.selector.select(seconds):
            pe = key.data
            try:
                data = self.sockets[pe].recv(65536)
            except OSError:
                data = b""
            if not data:
                self.hang_up(pe)
                continue
            self.buffers[pe] += data
            while True:
                text = self.take(pe)
                if text is None:
                    break
                self.handle(pe, text)

    def finish(self, seconds=SECONDS):
        """Serves until all PEs have ended: their statuses, outputs and errors."""
        until = time.monotonic() + seconds
        while any(pe.poll() is None for pe in self.pes):
            if time.monotonic() > until:
                self.abort("too late")
                raise AssertionError(f"{self.pes[0].args} did not end after {self.log[-1:]}")
            if self.selector.get_map():
                self.serve(0.02)
            else:
                time.sleep(0.02)
        both = [pe.communicate() for pe in self.pes]
        for pe in range(self.n):
            self.hang_up(pe)
        self.status = [pe.returncode for pe in self.pes]
        self.out = [out.decode() for out, _ in both]
        self.err = [err.decode() for _, err in both]
        return self

    def said(self, start):
        """The PEs that have sent a command that begins so, in order."""
        return sorted(pe for pe, text in self.log if text.startswith(start))


def check(ok, message="check failed"):
    if not ok:
        raise AssertionError(message)


def equal(got, want, what="value"):
    check(got == want, f"{what} is {got!r} instead of {want!r}")
