"""Every command's help ends with a line that the command takes, and shells complete what there
is.
"""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from isel.cli.examples import EXAMPLES
from isel.cli.parser import COMMANDS, parse_arguments
from tests.cli.modules import Run


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example_that_is_taken(isel: Run, command: str) -> None:
    lines = isel(command, "--help").out.splitlines()
    assert lines[-2] == "example:" and lines[-1].startswith(f"  isel {command} ".rstrip())
    program, *words = shlex.split(lines[-1])
    assert program == "isel" and parse_arguments(words) is not None


def test_commands_builders_and_examples_are_the_same() -> None:
    assert set(COMMANDS) == set(EXAMPLES)


def test_bash_completes_commands_and_flags(isel: Run, tmp_path: Path) -> None:
    """The script is given to bash, which is asked as it is when a user types and presses the
    key.
    """
    script = tmp_path / "isel.bash"
    script.write_text(isel("--print-completion", "bash").out)

    def offered(*words: str) -> set[str]:
        line = " ".join(shlex.quote(w) for w in ("isel", *words))
        ask = f'. "{script}"; COMP_WORDS=({line}); COMP_CWORD={len(words)}; COMP_LINE="{line}"; COMP_POINT=${{#COMP_LINE}}; '
        ask += '"$(complete -p isel | sed "s/.*-F \\([^ ]*\\).*/\\1/")"; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(
            ["bash", "--norc", "-c", ask], capture_output=True, text=True, check=True, cwd=tmp_path
        )
        return {word.strip() for word in done.stdout.splitlines()}

    assert offered("ca") == {"cache"}
    assert {"list", "show", "export"} <= offered("cache", "")
    assert offered("opt", "--cache-v") == {"--cache-verify"}
    (tmp_path / "module.ll").write_text("")
    assert "module.ll" in offered("opt", "mod")


@pytest.mark.parametrize("shell", ["zsh", "tcsh", "fish"])
def test_other_shells(isel: Run, shell: str) -> None:
    ran = isel("--print-completion", shell)
    assert ran.code == 0 and all(command in ran.out for command in COMMANDS)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--print-completion",), "takes the name of a shell"),
        (("--print-completion", "bsh"), "unknown shell 'bsh', did you mean 'bash'?"),
        (
            ("--print-completions", "bash"),
            "unknown flag '--print-completions', did you mean '--print-completion'?",
        ),
    ],
)
def test_mistakes(isel: Run, words: tuple[str, ...], told: str) -> None:
    ran = isel(*words)
    assert ran.code == 1 and told in ran.err
