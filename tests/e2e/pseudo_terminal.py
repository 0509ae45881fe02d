"""A terminal without anybody in front of it: keys go in, what a person would read comes out."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

# The program is given the terminal as its own, so that Ctrl-C is a signal and Ctrl-D an end.
_START = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from storykeeper.cli.main import run
sys.argv[0] = "storykeeper"
run()
"""
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r|\x07")
PROMPT = "\n> "
SECONDS = 30.0
AGAIN_SECONDS = 4.0


class Terminal:
    """A program at a terminal of 100 columns."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "INPUTRC": os.devnull}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):  # a runner's, not this terminal's
            environment.pop(name, None)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, arguments)],
            stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment,
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._ours = ours
        self._read = 0
        self.bytes = b""

    @property
    def text(self) -> str:
        """All that was shown, without what moves the cursor."""
        return _CONTROL.sub("", self.bytes.decode("utf-8", "replace"))

    def keys(self, text: str) -> None:
        """Typed key by key."""
        for key in text:
            os.write(self._ours, key.encode())

    def paste(self, text: str, *, bracketed: bool) -> None:
        """Put in at once; a terminal that can, says that it was pasted."""
        data = f"\x1b[200~{text}\x1b[201~" if bracketed else text
        view = data.replace("\n", "\r").encode()
        while view:
            self._take_in(0)  # the program echoes: unread, it would wait for us
            view = view[os.write(self._ours, view[:512]) :]

    def until(self, wanted: str) -> str:
        """What is shown up to and with some words, since the last time this was asked."""
        self._wait(lambda new: wanted in new, wanted)
        at = self.text.index(wanted, self._read) + len(wanted)
        shown, self._read = self.text[self._read : at], at
        return shown

    def prompt(self) -> str:
        """What is shown up to a prompt that nothing follows."""
        self._wait(lambda new: new.endswith(PROMPT), PROMPT)
        shown, self._read = self.text[self._read :], len(self.text)
        return shown

    def _wait(self, found: Callable[[str], bool], wanted: str) -> None:
        end = time.monotonic() + SECONDS
        while not found(self.text[self._read :]):
            if time.monotonic() > end or not self._take_in(end - time.monotonic()):
                raise AssertionError(f"no {wanted!r} in:\n{self.text[self._read :]}")

    def type(self, line: str) -> str:
        """A line and Enter, and what it gives up to the next prompt."""
        self.keys(line)
        self.keys("\r")
        self.until(line)  # its echo
        return self.prompt()

    @property
    def pid(self) -> int:
        return self._process.pid

    def resize(self, columns: int) -> None:
        """The window is made wider or narrower."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))

    def interrupt(self) -> None:
        """Ctrl-C, as the terminal's driver sends it."""
        os.kill(self._process.pid, signal.SIGINT)

    def left(self, *, again: str = "") -> tuple[int, str]:
        """The exit code, and what was shown at last.

        `again` is pressed once more after a while, as a person would: a signal that comes in the
        moment before Python's readline begins to wait is noticed only with the next key.
        """
        end = time.monotonic() + SECONDS
        press = time.monotonic() + AGAIN_SECONDS
        while time.monotonic() < end and self._take_in(min(end, press) - time.monotonic()):
            if again and time.monotonic() >= press:
                self.keys(again)
                press = time.monotonic() + AGAIN_SECONDS
        return self._process.wait(timeout=SECONDS), self.text[self._read :]

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _take_in(self, seconds: float) -> bool:
        """Read what there is; False when the program has gone."""
        if not select.select([self._ours], [], [], max(0.0, seconds))[0]:
            return True
        try:
            part = os.read(self._ours, 65_536)
        except OSError:  # Linux says EIO when nobody holds the other end
            return False
        self.bytes += part
        return bool(part)
