# SPDX-License-Identifier: BSD-3-Clause
"""A relay for the TCP connections of a job's PEs, which disturbs them as bad networks do.

redirect.c sends the connections here. The relay knows which PE began a connection, and which one it
ends at. The bytes of a connection stay in order and complete, unless the connection is reset.
"""
import asyncio
import random
import socket
import struct


class Relay:
    """Use start(), and port; then set the fields below at any time."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.delay = 0          # seconds at most, for each piece
        self.rate = 0           # bytes a second for each direction of a connection; 0: no limit
        self.piece = 1 << 16    # the longest piece that is passed on at once
        self.held = lambda one, other: False  # whether nothing passes between two PEs at present
        self.origins = {}       # where a connection from this port goes, and the PE that begins it
        self.listeners = {}     # the PE that listens at a port
        self.connections = []   # pairs of writers
        self.made = self.bytes = 0
        self.tasks = set()

    async def start(self):
        loop = asyncio.get_running_loop()
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        self.told, _ = await loop.create_datagram_endpoint(lambda: self, ("127.0.0.1", self.port))

    async def stop(self):
        self.server.close()
        self.told.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    # ---- what redirect.c says, as an asyncio.DatagramProtocol ----

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        pass

    def error_received(self, error):
        pass

    def datagram_received(self, data, sender):
        verb, *words = data.decode().split()
        if verb == "connect":
            port, host, to, pe = words
            self.origins[int(port)] = (host, int(to), int(pe))
        else:
            port, pe = words
            self.listeners[int(port)] = int(pe)
        self.transport.sendto(b"ok", sender)

    # ---- connections ----

    async def serve(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        try:
            await self.join(reader, writer)
        except asyncio.CancelledError:
            reset(writer)

    async def join(self, reader, writer):
        own = writer.get_extra_info("peername")[1]
        while own not in self.origins: # its datagram comes after the connection
            await asyncio.sleep(0.001)
        host, port, one = self.origins.pop(own)
        other = self.listeners.get(port, one)
        try:
            while self.held(one, other):
                await asyncio.sleep(0.01)
            there, back = await asyncio.open_connection(host, port)
        except OSError:
            reset(writer)
            return
        self.made += 1
        self.connections.append((writer, back))
        await asyncio.gather(self.pump(reader, back, one, other), self.pump(there, writer, other, one))

    async def pump(self, reader, writer, one, other):
        """Passes bytes on from PE `one` to PE `other`, until either side ends."""
        try:
            while data := await reader.read(1 << 16):
                while data:
                    n = min(len(data), self.random.randint(1, self.piece))
                    await self.wait(one, other, n)
                    writer.write(data[:n])
                    await writer.drain()
                    self.bytes += n
                    data = data[n:]
            writer.write_eof()
        except OSError:
            reset(writer)

    async def wait(self, one, other, n):
        while self.held(one, other):
            await asyncio.sleep(0.01)
        if self.delay:
            await asyncio.sleep(self.random.uniform(0, self.delay))
        if self.rate:
            await asyncio.sleep(n / self.rate)

    def reset(self, share):
        """Breaks this share of the connections off; returns how many there were to break."""
        alive = [pair for pair in self.connections if not any(one.is_closing() for one in pair)]
        chosen = self.random.sample(alive, int(share * len(alive) + 0.999))
        for pair in chosen:
            for writer in pair:
                reset(writer)
        return len(chosen)


def reset(writer):
    """The other side gets a reset instead of the end of the stream."""
    end = writer.get_extra_info("socket")
    if end and not writer.is_closing():
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
