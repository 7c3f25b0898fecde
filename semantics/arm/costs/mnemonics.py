"""The opcodes whose prices ship, as brace patterns: what LLVM may select from integer vector
code and around it.
"""

from __future__ import annotations

from typing import Final

VECTOR: Final = """
add sub mul ml{a,s} addp neg abs not mvn cnt cl{z,s} rbit rev{16,32,64} and orr eor bic orn
bsl bit bif eor3 bcax rax1 xar
{s,u}{add,sub}{l,w}{,2} {s,u}r?hadd {s,u}hsub {s,u}q{add,sub} suqadd usqadd r?{add,sub}hn{,2}
{s,u}{max,min}{,p,v} {s,u}ab{d,a}{,l,l2} addv {s,u}addlv {s,u}{addl,adal}p
{s,u}m{ull,lal,lsl}{,2} sqdm{ull,lal,lsl}{,2} sqr?dmulh sqrdml{a,s}h pmul pmull{,2}
{s,u,us,su}dot {s,u,us}mmla cm{eq,ge,gt,hi,hs,le,lt,tst}
{s,u}q?r?shl sqshlu shl {s,u}r?shr {s,u}r?sra s{l,r}i {,s,u}shll{,2} {s,u}xtl{,2}
{,s,u}q?r?shrn{,2} sqr?shrun{,2} {,s,u}q?xtn{,2} sqxtun{,2} sq{abs,neg} ur{ecp,sqrt}e
{zip,uzp,trn}{1,2} ext tb{l,x} dup ins mov movi mvni {s,u}mov fmov
aes{e,d,mc,imc} sha1{c,p,m,h,su0,su1} sha256{h,h2,su0,su1} sha512{h,h2,su0,su1}
sm3{partw1,partw2,ss1,tt1a,tt1b,tt2a,tt2b} sm4e{,key}
f{add,sub,mul,div,mla,mls,neg,abs,max,min,maxnm,minnm,mulx,sqrt,abd,addp,maxp,minp}
f{maxv,minv,madd,msub,nmadd,nmsub,nmul} fcm{eq,ge,gt,le,lt} fcvt{,l,l2,n,n2} fcmp
{s,u}cvtf fcvt{z,n,m,p,a}{s,u} frint{a,i,m,n,p,x,z}
"""

GENERAL: Final = """
{add,sub,and,bic,adc,sbc,neg,ngc}s? orr eor orn eon mvn cmp cmn tst
mul mneg {s,u}mull {s,u}mnegl {s,u}mulh m{add,sub} {s,u}m{add,sub}l {s,u}div
ls{l,r} asr ror extr {s,u}xt{b,h,w} cl{z,s} rbit rev{,16,32} {s,u}bf{x,iz} bf{i,xil,c}
mov{,k,n,z} csel cs{inc,inv,neg,et,etm} c{inc,inv,neg} ccm{p,n} crc32c?{b,h,w,x} adrp? nop
"""

LOADS: Final = "{ld,st}{r,ur} {ld,st}u?r{b,h} ldu?rs{b,h,w} {ld,st}n?p ldpsw prfu?m"
STRUCTURES: Final = "{ld,st}{1,2,3,4} ld{1,2,3,4}r"
BRANCHES: Final = "b b.{eq,ne,hs,lo,mi,pl,vs,vc,hi,ls,ge,lt,gt,le} cbn?z tbn?z br"
PREDICATED: Final = "mul {s,u}mulh {s,u}divr? {s,u}{max,min}"
