"""The programs: how each is asked, and how long it takes."""

import bisect
import json
import math
import os
import re
import shutil
import subprocess
import time
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from pathlib import Path

from questions import Question

_SCRIPT = Path(__file__).with_name("search.tcl")
_NUMBER = "PgnaNumber"


@dataclass(frozen=True)
class Answer:
    hits: int
    seconds: float
    processor: float


class Games:
    """The games of a PGN file. One begins at each line with the tag Event."""

    def __init__(self, path: Path):
        self.path = path
        self.data = path.read_bytes()
        self.starts = [match.start() for match in re.finditer(rb"^\[Event ", self.data, re.M)]

    def text(self, number: int) -> bytes:
        return b"".join(self.data[part] for part in self._parts([number]))

    def numbered(self, path: Path) -> None:
        """Writes a copy in which each game has its number as a tag."""
        with path.open("wb") as file:
            for number, part in enumerate(self._parts(range(1, len(self.starts) + 1)), 1):
                file.write(b'[%s "%d"]\n' % (_NUMBER.encode(), number) + self.data[part])

    def _parts(self, numbers):
        ends = [*self.starts[1:], len(self.data)]
        return (slice(self.starts[number - 1], ends[number - 1]) for number in numbers)


@dataclass(frozen=True)
class Rounds:
    number: int = 1
    once: float = math.inf
    """What takes longer than this, in seconds, is not repeated."""


def _timed(command: list, rounds: Rounds, work: Path, stdin: str = "") -> tuple[str, float, float]:
    """The output, and the least seconds: of the clock and of the processor, all threads."""
    sent, output = work / "stdin", work / "output"
    sent.write_text(stdin)
    times = []
    while len(times) < rounds.number and max(times, default=(0, 0))[0] <= rounds.once:
        with sent.open() as source, output.open("wb") as sink:
            start = time.perf_counter()
            process = subprocess.Popen(command, stdin=source, stdout=sink, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            times.append((time.perf_counter() - start, usage.ru_utime + usage.ru_stime))
            process.returncode = os.waitstatus_to_exitcode(status)
        # pgna ends with 1 if no game is found.
        if process.returncode not in (0, 1):
            raise RuntimeError(f"{command[0]}: {output.read_text(errors='replace')[-500:]}")
    seconds, processor = (min(column) for column in zip(*times))
    return output.read_text(errors="replace"), seconds, processor


class Pgna:
    name = "pgna"

    def __init__(self, program: str, archive: Path, threads: int, work: Path):
        self.command = [program, "find", archive, "-q", "-T", str(threads)]
        self.work = work

    def asks(self, question: Question) -> bool:
        return True

    def answers(self, questions: list[Question], rounds: Rounds) -> list[Answer]:
        answers = []
        for question in questions:
            command = [*self.command, "--count", *question.pgna]
            output, *seconds = _timed(command, rounds, self.work)
            answers.append(Answer(int(output), *seconds))
        return answers

    def games(self, question: Question) -> set[int]:
        output, *_ = _timed([*self.command, "--list", *question.pgna], Rounds(), self.work)
        return {int(place.split("@")[0]) for place in output.split()}


class Scid:
    name = "Scid"

    def __init__(self, program: str, base: Path, work: Path):
        self.program, self.base, self.work = program, base, work

    def asks(self, question: Question) -> bool:
        return question.scid is not None

    def answers(self, questions: list[Question], rounds: Rounds) -> list[Answer]:
        answers = []
        for line in self._run(questions, str(rounds.number)):
            hits, seconds, processor = line.split()
            answers.append(Answer(int(hits), float(seconds), float(processor)))
        return answers

    def games(self, question: Question) -> set[int]:
        return {int(number) for number in self._run([question], "games")[0].split()}

    def _run(self, questions: list[Question], what: str) -> list[str]:
        words = self.work / "questions.scid"
        words.write_text("".join(f"{question.scid}\n" for question in questions))
        command = [self.program, _SCRIPT, self.base.with_suffix(""), words, what]
        output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        lines = output.splitlines()
        if len(lines) != len(questions):
            raise RuntimeError(f"{self.program}: {output[-500:]}")
        return lines


class Scoutfish:
    name = "Scoutfish"

    def __init__(self, program: str, index: Path, games: Path, threads: int, work: Path):
        self.program, self.index, self.threads, self.work = program, index, threads, work
        self.path = games

    def asks(self, question: Question) -> bool:
        return bool(question.scoutfish)

    def answers(self, questions: list[Question], rounds: Rounds) -> list[Answer]:
        answers = []
        for question in questions:
            output, *seconds = self._run(question, rounds)
            hits = sum(int(count) for count in re.findall(r'"match count": (\d+)', output))
            answers.append(Answer(hits, *seconds))
        return answers

    def games(self, question: Question) -> set[int]:
        starts = Games(self.path).starts
        output, *_ = self._run(question, Rounds())
        # The place is that behind the game before, with or without an empty line.
        places = (int(place) for place in re.findall(r'"ofs": (\d+)', output))
        return {bisect.bisect_left(starts, place) + 1 for place in places}

    def _run(self, question: Question, rounds: Rounds) -> tuple[str, float, float]:
        lines = [f"setoption name Threads value {self.threads}"]
        lines += [f"scout {self.index} {json.dumps(query)}" for query in question.scoutfish]
        return _timed([self.program], rounds, self.work, "\n".join([*lines, "quit", ""]))


class Extract:
    name = "pgn-extract"

    def __init__(self, program: str, games: Path, work: Path):
        self.program, self.path, self.work = program, games, work

    def asks(self, question: Question) -> bool:
        return bool(question.positions or question.materials)

    def answers(self, questions: list[Question], rounds: Rounds) -> list[Answer]:
        answers = []
        for question in questions:
            command = [self.program, "-r", *self._criteria(question), self.path]
            output, *seconds = _timed(command, rounds, self.work)
            hits = re.findall(r"(\d+) games? matched out of", output)[-1]
            answers.append(Answer(int(hits), *seconds))
        return answers

    def games(self, question: Question) -> set[int]:
        numbered, found = self.work / "numbered.pgn", self.work / "found.pgn"
        if not numbered.exists():
            Games(self.path).numbered(numbered)
        found.unlink(missing_ok=True)
        command = [self.program, "-s", *self._criteria(question), f"-o{found}", numbered]
        subprocess.run(command, stderr=subprocess.DEVNULL, check=True)
        text = found.read_text(errors="replace") if found.exists() else ""
        return {int(number) for number in re.findall(rf'^\[{_NUMBER} "(\d+)"', text, re.M)}

    def _criteria(self, question: Question) -> list[str]:
        criteria = self.work / "criteria.txt"
        criteria.write_text("\n".join([*question.positions, *question.materials, ""]))
        return [f"{'-t' if question.positions else '-y'}{criteria}"]


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("archive", type=Path, help="the archive of the games, with --index full")
    parser.add_argument("games", type=Path, help="the games as PGN")
    parser.add_argument("--pgna", default="pgna", metavar="PROGRAM")
    parser.add_argument("--tkscid", default="tkscid", metavar="PROGRAM")
    parser.add_argument("--base", type=Path, help="the games as a Scid database")
    parser.add_argument("--scoutfish", default="scoutfish", metavar="PROGRAM")
    parser.add_argument("--scout", type=Path, help="the games as an index of Scoutfish")
    parser.add_argument("--pgn-extract", default="pgn-extract", metavar="PROGRAM")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="pgna and Scoutfish")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="names of questions")


def programs(options: Namespace, work: Path) -> tuple[list, list[str]]:
    """pgna and the programs that are there, and lines that name those that are not."""
    here, missing = [Pgna(options.pgna, options.archive, options.threads, work)], []
    base = options.base and options.base.with_suffix(".si4")
    peers = [
        (Scid, options.tkscid, base, (base, work)),
        (
            Scoutfish,
            options.scoutfish,
            options.scout,
            (options.scout, options.games, options.threads, work),
        ),
        (Extract, options.pgn_extract, options.games, (options.games, work)),
    ]
    for kind, program, data, rest in peers:
        if not shutil.which(program):
            missing.append(f"{kind.name} is left out: no program {program}")
        elif not (data and data.exists()):
            missing.append(f"{kind.name} is left out: no data ({data or 'option not given'})")
        else:
            here.append(kind(program, *rest))
    return here, missing
