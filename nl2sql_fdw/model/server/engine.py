"""Runs all requests at once: their next tokens share each pass through the model."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from queue import Empty, SimpleQueue

from nl2sql_fdw.model.server.cache import Cache
from nl2sql_fdw.model.server.job import Done, Failed, Job, Piece, Reply
from nl2sql_fdw.model.server.runtime import (
    BATCH,
    DecodeFailed,
    Entry,
    Interrupted,
    Logits,
    Runtime,
)
from nl2sql_fdw.model.server.sampling import choose
from nl2sql_fdw.model.server.text import Text

SEQUENCES = 40
"""Sequences of the cache; replies at work and idle prompts together stay below."""

REPLIES = 16
"""The most replies that grow at once."""

_SHARE = 64
"""Tokens of a prompt read in one pass while others wait for their next token."""


class Engine:
    """The model's one thread. Prompts are read one after another, replies grow together."""

    def __init__(self, runtime: Runtime, cells: int) -> None:
        self._runtime = runtime
        self._cells = cells
        self._cache = Cache(runtime, SEQUENCES)
        self._inbox: SimpleQueue[Job] = SimpleQueue()
        self._waiting: list[Job] = []
        self._jobs: list[Job] = []
        self._replies: list[Reply] = []
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a request; its prompt and one reply must fit into the cells."""
        self._inbox.put(job)

    def drop(self, job: Job) -> None:
        """End the work on a request, and the pass through the model that is under way."""
        job.dropped.set()
        self._runtime.interrupt()

    def _run(self) -> None:
        while True:
            self._collect()
            try:
                self._step()
            except Interrupted:
                continue  # somebody left; the others' tokens are run again
            except DecodeFailed as error:
                self._fail(str(error))

    def _collect(self) -> None:
        """Take new requests in, and drop what is to be; wait where there is nothing to do."""
        self._runtime.interrupt(False)  # first, so that none who leaves later is overlooked
        if not (self._waiting or self._jobs):
            self._waiting.append(self._inbox.get())
        while True:
            try:
                self._waiting.append(self._inbox.get_nowait())
            except Empty:
                break
        self._waiting = [job for job in self._waiting if not job.dropped.is_set()]
        for job in [job for job in self._jobs if job.dropped.is_set()]:
            self._end(job)

    def _step(self) -> None:
        """Bring every reply one token further, and the prompt in hand by a share."""
        self._admit()
        replies = list(self._replies)
        entries = [Entry(r.token, len(r.row.tokens), r.row.number, True) for r in replies]
        reading = next((job for job in self._jobs if not job.read), None)
        part = self._part(reading, len(entries))
        if reading is not None and reading.row is not None:
            done, number = len(reading.row.tokens), reading.row.number
            last = len(reading.prompt) - 1
            entries += [
                Entry(token, done + at, number, done + at == last) for at, token in enumerate(part)
            ]
        if not entries:
            return
        while not self._runtime.decode(entries):
            if not self._cache.evict():
                raise DecodeFailed("The cache is too small for the requests at work.")
        for at, reply in enumerate(replies):
            reply.row.tokens.append(reply.token)
            self._grow(reply, self._runtime.logits(at))
        if reading is not None and reading.row is not None:
            reading.row.tokens += part
            if len(reading.row.tokens) == len(reading.prompt):
                reading.first = self._runtime.logits(len(entries) - 1).copy()
        self._begin()

    def _part(self, job: Job | None, others: int) -> list[int]:
        """Return the tokens of a prompt to read next: few while others wait."""
        if job is None or job.row is None:
            return []
        done = len(job.row.tokens)
        return job.prompt[done : done + (_SHARE if others else BATCH)]

    def _admit(self) -> None:
        """Start on the next request once no prompt is being read, so that it can share that one."""
        if not self._waiting or any(not job.read for job in self._jobs):
            return
        job = self._waiting[0]
        if self._reserved() + len(job.prompt) + job.max_tokens > self._cells:
            return
        if len(self._replies) >= REPLIES:
            return
        del self._waiting[0]
        job.row = self._cache.take(job.prompt)
        job.cached = len(job.row.tokens)
        self._jobs.append(job)

    def _reserved(self) -> int:
        """Count the cells that the requests at work may come to need."""
        unread = sum(job.max_tokens for job in self._jobs if not job.read)
        prompts = sum(len(job.prompt) for job in self._jobs)
        return prompts + unread + sum(reply.job.max_tokens for reply in self._replies)

    def _begin(self) -> None:
        """Begin the replies of prompts that are read, as far as there is room for them."""
        for job in [job for job in self._jobs if job.read]:
            while job.begun < job.count and self._has_room(job):
                self._begin_one(job)
            if job.begun == job.count and not any(r.job is job for r in self._replies):
                self._end(job)

    def _has_room(self, job: Job) -> bool:
        if job.begun == 0:
            return True  # counted in when it was admitted
        fits = self._reserved() + job.max_tokens <= self._cells
        return fits and len(self._replies) < REPLIES

    def _begin_one(self, job: Job) -> None:
        if job.row is None or job.first is None:
            raise ValueError("the prompt has not been read")
        index = job.begun
        row = job.row if index == 0 else self._cache.fork(job.row, len(job.prompt))
        job.begun += 1
        reply = Reply(job, index, row, Text(job.stops), job.sampling.generator(index))
        self._replies.append(reply)
        self._grow(reply, job.first)

    def _grow(self, reply: Reply, logits: Logits) -> None:
        """Choose the reply's next token, pass on its text, and see whether it ends with it."""
        job = reply.job
        reply.token, logprob = choose(logits, job.sampling, reply.chance)
        reply.tokens += 1
        job.written += 1
        if self._runtime.ends(reply.token):
            self._finish(reply, reply.text.close(), "stop")
            return
        reply.logprobs.append(logprob)
        text = reply.text.add(self._runtime.piece(reply.token))
        if reply.text.stopped:
            self._finish(reply, text, "stop")
        elif reply.tokens >= job.max_tokens:
            self._finish(reply, text + reply.text.close(), "length")
        elif text:
            job.news.put(Piece(reply.index, text, tuple(reply.logprobs)))
            reply.logprobs.clear()

    def _finish(self, reply: Reply, text: str, reason: str) -> None:
        reply.job.news.put(Piece(reply.index, text, tuple(reply.logprobs), reason))
        self._replies.remove(reply)
        if reply.row is not reply.job.row:
            self._cache.release(reply.row, keep=False)

    def _end(self, job: Job) -> None:
        """Let go of a request; its prompt and first reply stay in the cache."""
        for reply in [reply for reply in self._replies if reply.job is job]:
            self._replies.remove(reply)
            if reply.row is not job.row:
                self._cache.release(reply.row, keep=False)
        self._jobs.remove(job)
        if job.row is not None:
            self._cache.release(job.row, keep=True)
        job.news.put(Done(len(job.prompt), job.cached, job.written))

    def _fail(self, reason: str) -> None:
        """Give up on every request at work, and start with an empty cache."""
        print(f"The model failed: {reason}", file=sys.stderr, flush=True)
        failed: Sequence[Job] = self._jobs
        self._jobs, self._replies = [], []
        self._cache.clear()
        for job in failed:
            job.news.put(Failed(reason))
