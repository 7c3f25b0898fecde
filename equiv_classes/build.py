"""Making the dictionary: forms of every instruction of every target, classes, and a proof of
every member.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from equiv_classes.dictionary import Dictionary, EquivClass, Formula, Member, read, write
from equiv_classes.equal import merged
from equiv_classes.extend import extended_forms
from equiv_classes.form import Form
from equiv_classes.lanes import NotUnderstood, Reader
from equiv_classes.names import Namer
from equiv_classes.prove import Proof, describe, prove_member
from equiv_classes.similarity import Sample, classes, grouped
from isel.model.verdict import Proved, Unknown
from isel.spec.instruction import Instruction
from isel.verify.prove import Known
from isel.workers import Failed, Pool

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Source:
    """A target's name, the hash of its semantics and its instructions."""

    name: str
    digest: str
    instructions: Sequence[Instruction]


@dataclass(frozen=True, slots=True)
class Built:
    """The dictionary, members whose proof failed (with the verdict in words), and lanes that
    needed a solver.
    """

    dictionary: Dictionary
    rejected: tuple[tuple[str, str], ...]
    proved: int
    solved: int


def build(
    sources: Sequence[Source], version: str, jobs: int = 1, progress: Progress = lambda _: None
) -> Built:
    """Group the instructions of ``sources`` into classes and prove every member; the result
    depends neither on ``jobs`` nor on the order of the sources.
    """
    sources = sorted(sources, key=lambda s: s.name)
    every = [(s.name, i) for s in sources for i in s.instructions]
    pool = Pool(jobs)
    found = pool.map(_analysed, [i for _, i in every])
    samples: list[Sample] = []
    unread: list[tuple[str, str, str]] = []
    for (target, i), result in zip(every, found, strict=True):
        if isinstance(result, Failed):
            result = f"the analysis ended: {result.reason}"
        if isinstance(result, str):
            unread.append((target, i.name, result))
        else:
            samples.extend(Sample(target, i.name, f, whole) for f, whole in result)
    namer = Namer()
    made = classes(merged(grouped(samples)), namer)
    progress(f"{len(every)} instructions, {len(made)} classes, {len(unread)} not understood")
    digest = " ".join(f"{s.name}:{s.digest[:16]}" for s in sources)
    kept, rejected, solved = _proved(made, {(t, i.name): i for t, i in every}, version, pool)
    unread.extend(
        (target, name, f"not proved equal to its class: {why}") for target, name, why in rejected
    )
    alone = tuple(_alone(namer, *row) for row in dict.fromkeys(unread))
    dictionary = Dictionary((*kept, *alone), digest)
    refused = tuple((f"{t} {n}", why) for t, n, why in rejected)
    return Built(dictionary, refused, sum(len(c.members) for c in kept), solved)


def _analysed(instruction: Instruction) -> tuple[tuple[Form, bool], ...] | str:
    """Return the forms of an instruction as :func:`extended_forms` does, or why there is none."""
    try:
        return extended_forms(instruction)
    except NotUnderstood as reason:
        return str(reason)
    except Exception as error:  # whatever is wrong with one entry, no instruction is lost
        return f"{type(error).__name__}: {error}"


def _alone(namer: Namer, target: str, name: str, reason: str) -> EquivClass:
    member = Member(target, name, "none", {}, ())
    return EquivClass(
        namer.unique(name), (), (), {}, Formula("0", "1", (), {"none": ()}), (member,), reason
    )


def _proved(
    made: Sequence[EquivClass],
    instructions: Mapping[tuple[str, str], Instruction],
    version: str,
    pool: Pool,
) -> tuple[tuple[EquivClass, ...], list[tuple[str, str, str]], int]:
    """Prove every member of the classes as they will be read from the file; return what is
    left, what is not and the count of solved lanes.
    """
    written = read(write(Dictionary(tuple(made)), version)).classes
    of: dict[tuple[str, str], list[tuple[EquivClass, Member]]] = {}
    for c in written:
        for m in c.members:
            of.setdefault((m.target, m.name), []).append((c, m))
    known: Known = {}
    jobs = [(instructions[key], pairs) for key, pairs in of.items()]
    answers = pool.map(lambda job: _prove_all(*job, known), jobs)
    rejected: dict[tuple[str, str], str] = {}
    solved = 0
    for key, answer in zip(of, answers, strict=True):
        proofs = answer if not isinstance(answer, Failed) else ()
        solved += sum(p.solved for p in proofs)
        bad = [describe(p.verdict) for p in proofs if not isinstance(p.verdict, Proved)]
        if bad or isinstance(answer, Failed):
            rejected[key] = bad[0] if bad else "the proof ended"
    kept = (
        replace(c, members=tuple(m for m in c.members if (m.target, m.name) not in rejected))
        for c in written
    )
    refused = [(*key, why) for key, why in rejected.items()]
    return tuple(c for c in kept if c.members), refused, solved


def _prove_all(
    instruction: Instruction, pairs: Sequence[tuple[EquivClass, Member]], known: Known
) -> tuple[Proof, ...]:
    reader = Reader(instruction)
    try:
        return tuple(prove_member(c, m, instruction, known, reader) for c, m in pairs)
    except (
        Exception
    ) as error:  # a formula that cannot be read at a member's parameters is not the member
        return (Proof(Unknown(f"{type(error).__name__}: {error}")),)
