# Everything a developer does, one target each; `make` lists them.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash
# Modules are compiled once: half of the time of a test that runs the command line otherwise.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
INSTALL := $(PIP) install --progress-bar on --require-virtualenv
# What lock files name is what their hashes say, whichever index it comes from.
LOCKED := $(INSTALL) --require-hashes
SELF := $(INSTALL) --quiet --no-deps --no-build-isolation --editable .
COUNT ?= 10000
GUIDE ?= ../shared/specs/x86/intel-intrinsics-3.6.9.xml
NEON ?= ../shared/specs/arm/intr.json
HVX ?= ../shared/specs/hvx/hvx_q6_map.json
SEED ?= 1
JOBS ?= 1
SAMPLE ?= 0
REAL ?= bench/out/real
REAL_CC ?= clang
FUZZ_OUT ?= bench/out/fuzz

.PHONY: help guard house doors demo bench bench-quick bench-archive matrix ablation missed numba test test-all sizes check format fuzz names fuzz-csmith fuzz-report alive2 bless mutants robust batch real verify planted versions fixed-point fuzz-x86 fuzz-arm fuzz-hvx fuzz-arm-opt prove-x86 prove-arm prove-hvx import-x86 import-arm import-hvx prove-rules classes emissions older costs regen-examples seed-cache lock release clean

help: ## list the targets
	@grep -hE '^[a-z][a-z0-9-]*:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 18

# The lock files pin every package, so an environment is a function of this directory.
$(VENV)/base.stamp: requirements/base.lock pyproject.toml
	@echo "== setting up $(VENV) (llvmlite, z3, bitwuzla, numpy, rich)"
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(LOCKED) -r requirements/base.lock
	$(SELF)
	@touch $@

$(VENV)/quick.stamp: requirements/quick.lock $(VENV)/base.stamp
	@echo "== adding Halide and clang"
	$(LOCKED) -r requirements/quick.lock
	@touch $@

$(VENV)/test.stamp: requirements/test.lock $(VENV)/base.stamp
	@echo "== adding what the tests need (pytest, hypothesis, mypy, ruff, lit, filecheck)"
	$(LOCKED) -r requirements/test.lock
	@touch $@

$(VENV)/all.stamp: requirements/all.lock $(VENV)/test.stamp
	@echo "== adding clang, Halide and matplotlib"
	$(LOCKED) -r requirements/all.lock
	@touch $@

demo: $(VENV)/base.stamp ## rewrite the shipped modules, show and time the result (base dependencies only)
	$(PY) -m examples.demo

bench: $(VENV)/all.stamp ## every kernel: four versions compared with numpy and timed; writes bench/RESULTS.md and bench/out
	$(PY) -m bench.harness --results bench/RESULTS.md

bench-quick: $(VENV)/quick.stamp ## the same for eight kernels, in minutes (adds Halide and clang to the base dependencies)
	$(PY) -m bench.harness --quick --command 'make bench-quick'

bench-archive: $(VENV)/all.stamp ## one file for other machines: python3 FILE times the C kernels before and after isel there and prints a table (python -m bench.archive read)
	$(PY) -m bench.archive make -o bench/out/isel-bench.pyz

matrix: $(VENV)/all.stamp ## sums of products, 20 C loops and 10 pipelines: compared with numpy, timed here, priced for two CPUs of AArch64 (half an hour)
	$(PY) -m bench.matrix; native=$$?; \
	$(PY) -m bench.matrix --on neoverse-v1; v1=$$?; \
	$(PY) -m bench.matrix --on neoverse-n2 && exit $$((native + v1))

missed: $(VENV)/base.stamp ## which rules LLVM's code would be cheaper for: writes docs/missed.md
	$(PY) -m bench.missed

numba: $(VENV)/all.stamp ## twelve kernels by numba alone and with isel: compared and timed; writes docs/numba.md and docs/numba.svg
	$(PY) -m bench.numba --docs docs/numba.md --plot docs/numba.svg

ablation: $(VENV)/all.stamp ## what each mechanism of isel passes, and each heuristic of the grammar search, is worth; writes docs/ablation.md
	$(PY) -m bench.ablation

test: $(VENV)/all.stamp ## every test that needs Python only and at most 3 CPU seconds: eight minutes
	$(PY) -m pytest -q -n 2 --size medium

test-all: $(VENV)/all.stamp ## what make test leaves out: longer tests, and those that need compilers, qemu and ../shared
	@# Says what to type for what is missing.
	$(PY) -m tests.tools
	$(PY) -m pytest -q -n 2 --size large

sizes: $(VENV)/all.stamp ## run all tests and write their sizes, small, medium or large, by CPU time: tests/sizes.tsv
	$(PY) -m tests.tools
	$(PY) -m pytest -q -n 2 --record-sizes

doors: $(VENV)/all.stamp ## Rust and Fortran as their compilers compile them, rewritten; for cargo and flang-new-19
	$(PY) -m pytest -q -n 0 tests/cli/doors/by_hand.py

house: $(VENV)/all.stamp ## what the code looks like in numbers, by room, and what isel opt loads of it; limits in tests/roof
	$(PY) -m tests.roof --loaded

guard: $(VENV)/all.stamp ## does a change of the code change what is written? hashes of 422 modules, verdicts and reports; SAMPLE=40 for some
	$(PY) -m tests.house --sample $(SAMPLE)

check: $(VENV)/all.stamp ## format, lint, types and the fast tests, in under a minute
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	@# The house with types, and tests, side by side; all must pass.
	{ $(PY) -m tests.roof --quiet && $(PY) -m mypy --strict; } & types=$$!; \
	$(PY) -m pytest -q -n 2 --size small; tests=$$?; \
	wait $$types && exit $$tests

format: $(VENV)/test.stamp ## rewrite the sources in the house format
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

fuzz: $(VENV)/all.stamp ## rewrite COUNT random functions and run both versions; goes on where it was stopped (SEED, JOBS, FUZZ_OUT)
	$(PY) -m tests.fuzz promises --count $(COUNT) --seed $(SEED)
	$(PY) -m tests.fuzz run --count $(COUNT) --seed $(SEED) --jobs $(JOBS) --out $(FUZZ_OUT)
	$(PY) -m tests.names all --pairs $(COUNT) --modules 20 --seed $(SEED) --jobs $(JOBS) --out $(FUZZ_OUT)/names

names: $(VENV)/all.stamp ## verify all pairs, and rewrite 300 modules, with other names for values, blocks and functions (SEED, JOBS, ALIVE2_TESTS)
	$(PY) -m tests.names all --kernels $(FUZZ_OUT)/kernels --seed $(SEED) --jobs $(JOBS) --out $(FUZZ_OUT)/names

fuzz-csmith: $(VENV)/all.stamp ## the same with COUNT programs of csmith (Debian's csmith and libcsmith-dev), for crashes only
	$(PY) -m tests.fuzz run --generators csmith --count $(COUNT) --seed $(SEED) --jobs $(JOBS) --out $(FUZZ_OUT)

fuzz-report: $(VENV)/base.stamp ## write the totals of make fuzz to docs/evidence.md
	$(PY) -m tests.fuzz report --out $(FUZZ_OUT)

alive2: $(VENV)/test.stamp ## hold `isel verify` against the tests in a checkout of Alive2 (ALIVE2_TESTS); writes docs/evidence.md
	$(PY) -m tests.alive2 "$$ALIVE2_TESTS"

bless: $(VENV)/all.stamp ## write what the search finds now into tests/golden
	$(PY) -m tests.golden

mutants: $(VENV)/test.stamp ## run tests against 600 mutants of the verifier; results in mutants.jsonl, taken up again (SEED)
	$(PY) -m tests.mutants --seed $(SEED)

robust: $(VENV)/test.stamp ## 1,000 mutated inputs, and 120 signals at random moments, through the command line (SEED)
	$(PY) -m tests.robust mutants --seed $(SEED)
	$(PY) -m tests.robust signals --seed $(SEED)

batch: $(VENV)/all.stamp ## 75 modules through isel batch, killed ten times and by two Dask workers: the same bytes as in one process (SEED)
	$(PY) -m tests.batch --seed $(SEED)

real: $(VENV)/test.stamp ## build libwebp, libjpeg-turbo, libvpx and x264 (sources in REAL/src) plainly and behind isel-cc; compare (REAL_CC)
	$(PY) -m bench.real $(REAL) --compiler "$(REAL_CC)"

verify: $(VENV)/all.stamp ## rewrite every module of the benchmark and prove each with isel verify; writes docs/evidence.md
	$(PY) -m tests.modules verify --record

planted: $(VENV)/all.stamp ## plant changes into these modules: isel verify proves none that a native run shows; writes docs/evidence.md (SEED)
	$(PY) -m tests.modules planted --seed $(SEED) --record

versions: $(VENV)/all.stamp ## these modules as objects, and as text by older clangs, compared with numpy: LLVMS="15=clang-15 '20=zig cc …'", CPU= one that all of these know
	$(PY) -m tests.modules versions $(LLVMS) $(if $(CPU),--cpu $(CPU)) --record
	$(PY) -m tests.modules versions $(LLVMS) --target arm --record

fixed-point: $(VENV)/test.stamp ## fixed-point operations at 8 to 32 bits, on 128 to 512: cycles of LLVM's code and of the programs found
	$(PY) -m tests.fixed_point

fuzz-x86: $(VENV)/base.stamp ## run every x86 instruction, with every immediate, on this CPU against its semantics
	$(VENV)/bin/isel semantics fuzz x86 -o semantics/x86/executed.tsv

prove-x86: $(VENV)/base.stamp ## prove again that each x86 emission refines its semantics, for the counts of coverage
	$(PY) -m semantics.record x86

prove-arm: $(VENV)/base.stamp ## the same of each AArch64 emission
	$(PY) -m semantics.record arm

prove-hvx: $(VENV)/base.stamp ## the same of each emission of HVX
	$(PY) -m semantics.record hvx

import-x86: $(VENV)/base.stamp ## make semantics/x86/generated again from the Intrinsics Guide (GUIDE)
	$(VENV)/bin/isel semantics import x86 --spec $(GUIDE) -o semantics/x86/generated

import-arm: $(VENV)/all.stamp ## make semantics/arm/generated again from Arm's list, with its ASL beside it (NEON), and learn the emissions
	$(VENV)/bin/isel semantics import arm --spec $(NEON) -o semantics/arm/generated
	$(PY) -m semantics.arm.emission.make $(NEON) 2 > semantics/arm/emission/emissions.tsv.new && mv semantics/arm/emission/emissions.tsv.new semantics/arm/emission/emissions.tsv

import-hvx: $(VENV)/all.stamp ## make semantics/hvx/generated again from the list of HVX intrinsics, with QEMU's definitions beside it (HVX), and its emissions
	$(VENV)/bin/isel semantics import hvx --spec $(HVX) -o semantics/hvx/generated
	$(PY) -m semantics.hvx.emission.make $(HVX) > semantics/hvx/emission/emissions.tsv.new && mv semantics/hvx/emission/emissions.tsv.new semantics/hvx/emission/emissions.tsv

fuzz-arm: $(VENV)/all.stamp ## run every AArch64 instruction, with every immediate, under qemu-aarch64 against its semantics
	$(VENV)/bin/isel semantics fuzz arm -o semantics/arm/executed.tsv

fuzz-hvx: $(VENV)/all.stamp ## run every instruction of HVX, with every immediate, under qemu-hexagon against its semantics
	$(VENV)/bin/isel semantics fuzz hvx -o semantics/hvx/executed.tsv

fuzz-arm-opt: $(VENV)/all.stamp ## rewrite COUNT random functions for AArch64, C loops among them, and run both versions under qemu-aarch64 (SEED)
	$(PY) -m tests.fuzz.emulated --count $(COUNT) --seed $(SEED)

prove-rules: $(VENV)/base.stamp ## prove every rule again, at all values of small widths and at the usual ones by solvers; writes the list
	$(VENV)/bin/isel rules prove -o isel/rules/proved.txt
	for b in $(wildcard isel/rules/learned/*.rules); do $(VENV)/bin/isel rules prove $$b -o $${b%.rules}.proved || exit 1; done
	$(PY) -m isel.egraph.outline > isel/rules/index.txt.new && mv isel/rules/index.txt.new isel/rules/index.txt

classes: $(VENV)/base.stamp ## build the equivalence classes of all targets again: minutes; git says what changed
	$(VENV)/bin/isel classes build -o equiv_classes

emissions: $(VENV)/all.stamp ## learn again how LLVM IR says each x86 intrinsic, from the Intrinsics Guide's XML (GUIDE) and clang
	$(PY) -m semantics.x86.emission.make $(GUIDE) 2 > semantics/x86/emission/emissions.tsv

older: $(VENV)/all.stamp ## ask older LLVMs what they know and select: LLVMS="15=clang-15:/usr/lib/…/libLLVM-15.so.1 16=… … 21=…"
	$(PY) -m bench.older $(LLVMS) > frontends/llvm/dialect/since.tsv.new && mv frontends/llvm/dialect/since.tsv.new frontends/llvm/dialect/since.tsv
	$(PY) -m semantics.emission.older x86 $(LLVMS) > semantics/x86/older.tsv.new && mv semantics/x86/older.tsv.new semantics/x86/older.tsv
	$(PY) -m semantics.emission.older arm $(LLVMS) > semantics/arm/older.tsv.new && mv semantics/arm/older.tsv.new semantics/arm/older.tsv

costs: $(VENV)/test.stamp ## make the price tables again with llvm-mca-19
	$(PY) -m bench.costs

regen-examples: $(VENV)/all.stamp ## make examples/*.ll again from their C and Halide sources
	$(PY) -m examples.regen

seed-cache: $(VENV)/base.stamp ## make the tracked cache.sqlite again
	$(PY) -m examples.seed

# uv writes the hashes of all files that the index has, so a lock serves every machine; what quick, test and
# base have in common with all has one version.  uv itself is locked in tools.lock.
COMPILE := compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
    --no-annotate --no-emit-index-url --no-emit-find-links $(if $(UPGRADE),--upgrade)

lock: ## write requirements/*.lock from pyproject.toml with uv; versions stay unless UPGRADE=1
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	$(PYTHON) -m venv $$folder/venv; \
	$$folder/venv/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements/tools.lock; \
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $$folder/build.in; \
	export UV_CUSTOM_COMPILE_COMMAND='make lock'; \
	uv="$$folder/venv/bin/uv pip $(COMPILE)"; \
	$$uv pyproject.toml $$folder/build.in --all-extras -o requirements/all.lock; \
	$$uv pyproject.toml $$folder/build.in -c requirements/all.lock -o requirements/base.lock; \
	$$uv pyproject.toml $$folder/build.in -c requirements/all.lock --extra test -o requirements/test.lock; \
	$$uv pyproject.toml $$folder/build.in -c requirements/all.lock --extra halide --extra clang -o requirements/quick.lock; \
	$$uv requirements/tools.in -o requirements/tools.lock; \
	grep -c '^[a-z]' requirements/*.lock

release: $(VENV)/base.stamp ## build wheel and sdist of HEAD into dist, try both in empty environments under every Python from 3.11, say what to upload
	$(PY) -m tests.release

clean: ## remove the environment and everything that tools left
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
