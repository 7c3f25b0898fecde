"""The flags of clang that a compile may have, and which step of ours takes them.  A flag that has
no row is not understood.

``source``  the front end alone reads it; what it means for code is in the IR
``ir``      both steps take it, and what it means for code is in the IR too (attributes, flags of
            the module)
``code``    both steps take it, and only clang's own code generator does what it says
``remark``  asks for optimisation remarks, which the plain compile says before we add ours
``record``  puts the command line into the object, where the first step sets it
``other``   asks for another output than an object, which the launcher leaves to the compiler
``refused`` looks like a row above and is none

Forms: ``alone`` is a whole word, ``joined`` has its value in the word, ``next`` in the next word,
``either`` in one of both. ``-f`` and ``-m`` stand for two words each: ``-fNAME`` and ``-fno-NAME``.
"""

from __future__ import annotations

from isel.cli.launcher.light import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final


class Role:
    """Who takes a flag: the words of the table."""

    SOURCE = "source"
    IR = "ir"
    CODE = "code"
    DEPENDS = "depends"
    OUTPUT = "output"
    MODE = "mode"
    LANGUAGE = "language"
    LEVEL = "level"
    SAVED = "saved"
    LTO = "lto"
    CC1 = "cc1"
    RECORD = "record"
    REMARK = "remark"
    OTHER = "other"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Flag(Record):
    """A flag of a command line: its role, its name in the table, its words, and its value.

    A word that is no flag has no name; it is a source.
    """

    role: str
    name: str
    words: tuple[str, ...]
    value: str


_TABLE: Final = """
mode     alone   -c -S
output   either  -o
language either  -x
level    joined  -O
level    alone   -O
saved    alone   -save-temps -save-temps=cwd -save-temps=obj --save-temps --save-temps=cwd
saved    alone   --save-temps=obj
lto      alone   -flto -flto=full -flto=thin -flto=auto -fno-lto
cc1      next    -Xclang
depends  alone   -MD -MMD -MP -MV
depends  either  -MF -MT -MQ
other    alone   -M -MM -MG -emit-llvm
other    either  -MJ
other    joined  -Wp,-M
source   alone   -w -W -pedantic -pedantic-errors -ansi -nostdinc -nostdinc++ -nostdlibinc -undef
source   alone   -pipe -s -H -rdynamic -nostdlib -nostartfiles
source   alone   -nodefaultlibs -static-libgcc -static-libstdc++ -Qunused-arguments
source   alone   -fdiagnostics-parseable-fixits
source   alone   -nostdlib++ -nolibc -static-libsan -shared-libsan -static-openmp
source   alone   --start-no-unused-arguments --end-no-unused-arguments
source   alone   -fno-modules -fno-implicit-modules -fno-implicit-module-maps -fno-cxx-modules
source   alone   -fno-profile-generate -fno-profile-use -fno-profile-instr-generate
source   alone   -fno-profile-instr-use -fno-coverage-mapping
source   alone   -fno-stack-check -fno-fat-lto-objects -fno-c++-static-destructors
source   alone   -fno-show-source-location -fno-spell-checking -fno-elide-type
source   -f      pch-instantiate-templates diagnostics-color color-diagnostics
source   -f      diagnostics-show-template-tree diagnostics-print-source-range-info
source   -f      diagnostics-show-note-include-stack diagnostics-show-line-numbers
source   -f      ansi-escape-codes crash-diagnostics discard-value-names use-line-directives
source   -f      trigraphs digraphs gnu-keywords declspec blocks coroutines asm asm-blocks
source   -f      borland-extensions delayed-template-parsing relaxed-template-template-args
source   -f      ms-compatibility ms-volatile short-wchar signed-bitfields writable-strings
source   -f      strict-enums new-infallible assume-sane-operator-new check-new
source   -f      visibility-global-new-delete-hidden visibility-inlines-hidden-static-local-var
source   -f      visibility-ms-compat fine-grained-bitfield-accesses keep-static-consts
source   -f      emit-all-decls force-emit-vtables complete-member-pointers cx-limited-range
source   -f      cx-fortran-rules protect-parens strict-float-cast-overflow
source   -f      align-jumps align-labels branch-count-reg caller-saves default-inline defer-pop
source   -f      devirtualize devirtualize-speculatively early-inlining expensive-optimizations
source   -f      float-store forward-propagate gcse gcse-after-reload gcse-las gcse-sm
source   -f      inline-functions-called-once inline-small-functions ipa-cp ipa-cp-clone ipa-pta
source   -f      ivopts keep-inline-functions loop-interchange loop-strip-mine merge-constants
source   -f      modulo-sched peel-loops prefetch-loop-arrays rename-registers reorder-blocks
source   -f      reorder-blocks-and-partition reorder-functions schedule-insns schedule-insns2
source   -f      single-precision-constant strength-reduce tracer tree-dce tree-dominator-opts
source   -f      tree-loop-im tree-pre tree-slsr tree-sra tree-ter tree-vrp unroll-all-loops
source   -f      unsafe-loop-optimizations unswitch-loops web whole-file whole-program
source   -f      diagnostics-show-option caret-diagnostics show-column
source   -f      diagnostics-fixit-info diagnostics-absolute-paths
source   either  -D -U -I -include -imacros -isystem -iquote -idirafter -isysroot -iprefix
source   either  -iwithprefix -iwithprefixbefore -include-pch -L -l -B
source   either  -iwithsysroot -isystem-after -cxx-isystem -stdlib++-isystem -ivfsoverlay
source   next    -Xlinker -z
source   joined  -W -std= --std= --sysroot= --gcc-toolchain= --gcc-install-dir= -stdlib= -rtlib=
source   joined  --rtlib= -unwindlib= -fuse-ld= -resource-dir=
source   joined  -fmessage-length= -ferror-limit= -ftemplate-depth= -ftemplate-backtrace-limit=
source   joined  -fconstexpr-depth= -fconstexpr-steps= -fbracket-depth=
source   joined  -fdiagnostics-color= -fdiagnostics-format= -ftabstop= -finput-charset=
source   joined  -fexec-charset= -frandom-seed= -frandomize-layout-seed= -fmax-errors=
source   joined  -fmacro-backtrace-limit= -fconstexpr-backtrace-limit= -fconstexpr-ops-limit=
source   joined  -fcaret-diagnostics-max-lines= -fspell-checking-limit= -fshow-overloads=
source   joined  -foperator-arrow-depth= -fcomment-block-commands= -fmax-tokens=
source   joined  -fdiagnostics-show-category= -fcrash-diagnostics= -fcrash-diagnostics-dir=
source   joined  -finline-limit= -falign-jumps= -falign-labels= -fexcess-precision=
source   joined  -fpack-struct= -fnew-alignment= -flax-vector-conversions= -fgnuc-version=
source   joined  -fms-compatibility-version= -fmsc-version= -fopenmp-version= -flto-jobs=
source   joined  -ftrivial-auto-var-init-max-size= -ftrivial-auto-var-init-stop-after=
source   joined  -fcoverage-compilation-dir= -fcoverage-prefix-map= -ffp-eval-method= --ld-path=
source   joined  -fvisibility-global-new-delete= -fcomplex-arithmetic=
source   next    --sysroot -resource-dir
refused  joined  -Wp, -Wa,
source   joined  -Wp,-D -Wp,-U
ir       alone   -pthread -static -static-pie -shared -pie -no-pie -mno-omit-leaf-frame-pointer
ir       alone   -momit-leaf-frame-pointer -ffreestanding -fhosted
ir       alone   -fstack-protector -fstack-protector-strong -fstack-protector-all
ir       alone   -fno-stack-protector -fcf-protection -fpermissive -g -g0 -g1 -g2 -g3
ir       alone   -ggdb -ggdb0 -ggdb1 -ggdb2 -ggdb3 -gdwarf -gdwarf-2 -gdwarf-3 -gdwarf-4 -gdwarf-5
ir       alone   -gline-tables-only -gmlt -gcolumn-info
ir       alone   -gno-column-info -ginline-line-tables -gno-inline-line-tables -gpubnames
ir       alone   -ggnu-pubnames -m64 -mno-red-zone -mred-zone
ir       alone   -mstackrealign -mno-stackrealign
ir       joined  --target= -march= -mtune= -mprefer-vector-width= -fvisibility= -fdebug-prefix-map=
ir       joined  -ffile-prefix-map=
ir       joined  -fmacro-prefix-map= -fdebug-compilation-dir= -ftrivial-auto-var-init= -ftls-model=
ir       joined  -falign-functions= -fcf-protection=
ir       joined  -fmax-type-align= -fstrict-flex-arrays= -fclang-abi-compat= -fdenormal-fp-math=
ir       joined  -ffp-contract= -ffp-model=
ir       joined  -mcpu= -mfpmath= -mabi= -msve-vector-bits= -mbranch-protection=
ir       joined  -msign-return-address= -mharden-sls= -mfunction-return= -mrecip=
ir       joined  -mstack-protector-guard= -mstack-protector-guard-reg= -mstack-alignment=
ir       joined  -mstack-protector-guard-offset= -mstack-protector-guard-symbol=
ir       joined  -mstack-probe-size= -fzero-call-used-regs= -fpatchable-function-entry=
ir       joined  -fno-sanitize -fno-builtin- -fopenmp= -fveclib= -ffp-exception-behavior=
ir       joined  --param= -ffile-compilation-dir= -fdebug-default-version=
ir       alone   -mrecip -mgeneral-regs-only -msoft-float -mskip-rax-setup -mno-gather
ir       alone   -mno-scatter -mno-implicit-float -mrtd -mindirect-branch-cs-prefix -Qn
ir       alone   -gline-directives-only -gno-record-gcc-switches -gno-record-command-line
remark   joined  -Rpass= -Rpass-missed= -Rpass-analysis= -foptimization-record-file=
remark   joined  -foptimization-record-passes=
remark   alone   -fsave-optimization-record -fsave-optimization-record=yaml
remark   alone   -fno-save-optimization-record
record   alone   -grecord-gcc-switches -grecord-command-line
record   -f      record-gcc-switches record-command-line
ir       alone   -gembed-source -gno-embed-source -no-canonical-prefixes --no-default-config
ir       alone   -funique-internal-linkage-names -mlong-double-64 -mlong-double-80
ir       alone   -mlong-double-128 -mno-fmv
ir       next    --param
ir       next    -target -fdebug-compilation-dir
ir       -f      PIC pic PIE pie plt exceptions cxx-exceptions rtti strict-aliasing wrapv common
ir       -f      omit-frame-pointer strict-overflow ident unroll-loops
ir       -f      vectorize tree-vectorize slp-vectorize tree-slp-vectorize builtin signed-char
ir       -f      unsigned-char short-enums inline inline-functions
ir       -f      semantic-interposition threadsafe-statics merge-all-constants
ir       -f      delete-null-pointer-checks optimize-sibling-calls finite-loops
ir       -f      fast-math math-errno trapping-math signed-zeros associative-math reciprocal-math
ir       -f      finite-math-only unsafe-math-optimizations
ir       -f      honor-nans honor-infinities approx-func stack-clash-protection unwind-tables
ir       -f      asynchronous-unwind-tables visibility-inlines-hidden
ir       -f      lax-vector-conversions ms-extensions gnu89-inline sized-deallocation
ir       -f      aligned-allocation char8_t operator-names elide-constructors
ir       -f      strict-return strict-vtable-pointers access-control dollars-in-identifiers
ir       -f      use-cxa-atexit jump-tables openmp openmp-simd
ir       -f      rounding-math direct-access-external-data debug-macro
ir       -f      debug-info-for-profiling
ir       -f      standalone-debug limit-debug-info eliminate-unused-debug-types
ir       -m      sse sse2 sse3 ssse3 sse4 sse4.1 sse4.2 sse4a avx avx2 fma f16c avx512f avx512bw
ir       -m      avx512cd avx512dq avx512vl avx512ifma avx512vbmi
ir       -m      avx512vbmi2 avx512vnni avx512bitalg avx512vpopcntdq avx512bf16 avx512fp16 avxvnni
ir       -m      gfni vaes vpclmulqdq popcnt bmi bmi2 lzcnt movbe
ir       -m      adx aes pclmul sha mmx cx16 sahf xsave xsaveopt prfchw rdrnd rdseed fsgsbase fxsr
ir       -m      clflushopt clwb clzero cldemote cmpccxadd crc32 enqcmd fma4 hreset invpcid kl
ir       -m      lwp mwaitx movdir64b movdiri pconfig pku prefetchi prefetchwt1 ptwrite raoint
ir       -m      rdpid rdpru rtm serialize sgx sha512 shstk sm3 sm4 tbm tsxldtrk uintr usermsr
ir       -m      waitpkg wbnoinvd widekl xop xsavec xsaves avx512er avx512pf
ir       -m      avx512vp2intersect avxifma avxneconvert avxvnniint8 avxvnniint16 evex512
ir       -m      avx10.1 avx10.1-256 avx10.1-512 avx10.2 avx10.2-256 avx10.2-512 amx-tile
ir       -m      amx-int8 amx-bf16 amx-fp16 amx-complex apxf vzeroupper retpoline
ir       -m      retpoline-external-thunk lvi-cfi lvi-hardening seses
ir       -m      speculative-load-hardening tls-direct-seg-refs ms-bitfields strict-align
ir       -m      unaligned-access crc
source   next    -mllvm
ir       -m      hvx hvx-qfloat hvx-ieee-fp packets nvj nvs memops long-calls
ir       alone   -mv60 -mv62 -mv65 -mv66 -mv67 -mv68 -mv69 -mv71 -mv73
ir       joined  -mhvx= -mhvx-length=
code     joined  -G -msmall-data-threshold=
source   -m      outline-atomics
code     alone   -Wa,--noexecstack -gz -gdwarf64 -gdwarf32 -gstrict-dwarf -gno-strict-dwarf -glldb
code     -f      function-sections data-sections unique-section-names addrsig use-init-array
code     -f      zero-initialized-in-bss stack-size-section debug-types-section
code     -f      debug-ranges-base-address emulated-tls dwarf-directory-asm
code     -m      global-merge fix-cortex-a53-835769
code     alone   -mbranches-within-32B-boundaries
code     joined  -malign-branch= -malign-branch-boundary= -mpad-max-prefix-size= -mtls-size=
code     joined  -femit-dwarf-unwind= -mtls-dialect=
code     joined  -mcmodel= -gz= -falign-loops= -Wframe-larger-than=
"""


def _rows() -> dict[tuple[str, bool], tuple[str, str]]:
    """Return role and form by flag and whether it is a prefix of its word."""
    found: dict[tuple[str, bool], tuple[str, str]] = {}
    for row in _TABLE.strip().splitlines():
        role, form, *names = row.split()
        if form in ("-f", "-m"):
            names, form = [f"{form}{no}{name}" for name in names for no in ("", "no-")], "alone"
        if form != "joined":
            found.update(((name, False), (role, form)) for name in names)
        if form in ("joined", "either"):
            found.update(((name, True), (role, form)) for name in names)
    return found


ROWS: Final = _rows()
_LONGEST: Final = max(len(name) for name, _ in ROWS)


def flag_at(words: list[str], place: int) -> Flag | None:
    """Return the flag that starts at a place of a command line; None for one that is not in the
    table, or lacks its value.
    """
    word = words[place]
    role, form = ROWS.get((word, False), (None, ""))
    if role is not None and form == "alone":
        return Flag(role, word, (word,), "")
    if role is not None:
        value = words[place + 1 : place + 2]
        return Flag(role, word, (word, *value), value[0]) if value else None
    for size in range(min(len(word) - 1, _LONGEST), 0, -1):
        row = ROWS.get((word[:size], True))
        if row is not None:
            return Flag(row[0], word[:size], (word,), word[size:])
    return None


def flags_in(words: list[str]) -> Iterator[Flag]:
    """Yield the flags and sources of a command line, without its compiler, in order."""
    place = 0
    while place < len(words):
        word = words[place]
        if word.startswith("-"):
            flag = flag_at(words, place) or Flag(Role.UNKNOWN, word, (word,), "")
        else:
            flag = Flag(Role.SOURCE, "", (word,), word)
        yield flag
        place += len(flag.words)
