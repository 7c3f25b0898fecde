"""The opcodes whose prices ship, as brace patterns: what LLVM may select from integer vector
code and around it.
"""

from __future__ import annotations

# Vector instructions (without dpps and dppd, on which llvm-mca 19 does not end); "v?" gives the
# legacy and the VEX/EVEX name.
VECTOR = """
v?p{add,sub}{b,w,d,q} v?p{add,sub}{s,us}{b,w} v?pmull{w,d} vpmullq v?pmulh{w,uw,rsw} v?pmul{dq,udq}
v?pmadd{wd,ubsw}
v?pavg{b,w} v?p{min,max}{s,u}{b,w,d} vp{min,max}{s,u}q v?pabs{b,w,d} vpabsq v?psign{b,w,d} v?psadbw
v?mpsadbw vdbpsadbw
v?pack{ss,us}{wb,dw} v?punpck{l,h}{bw,wd,dq,qdq} v?ps{ll,rl}{w,d,q,dq} v?psra{w,d} vpsraq
vps{ll,rl}v{w,d,q} vpsrav{w,d,q}
vpro{l,r}{,v}{d,q} vpsh{l,r}d{,v}{w,d,q} v?p{and,or,xor,andn} vp{and,or,xor,andn}{d,q}
v?{and,or,xor,andn}p{s,d} vpternlog{d,q}
v?pcmp{eq,gt}{b,w,d,q} vpcmp{eq,lt,le,neq,nlt,nle}{b,w,d,q} vpcmp{eq,lt,le,neq,nlt,nle}u{b,w,d,q}
vptest{,n}m{b,w,d,q}
v?pblendw vpblendd v?pblendvb v?blendp{s,d} v?blendvp{s,d} vpblendm{b,w,d,q} vblendmp{s,d}
v?pshuf{b,d,hw,lw} vperm{b,w,d,q,ps,pd} vperm{i,t}2{b,w,d,q,ps,pd} vpermilp{s,d} vperm2{i,f}128
v?palignr valign{d,q} {insert,extr}q
vshuf{i32x4,i64x2,f32x4,f64x2}
v{insert,extract}{i128,f128,i32x4,i64x2,i32x8,i64x4,f32x4,f64x2,f32x8,f64x4}
v?pmov{s,z}x{bw,bd,bq,wd,wq,dq} vpmov{,s,us}{wb,db,dw,qb,qw,qd} vpmov{b,w,d,q}2m vpmovm2{b,w,d,q}
vpbroadcastm{b2q,w2d}
vpbroadcast{b,w,d,q}
vbroadcast{ss,sd,i128,f128,i32x2,i32x4,i64x2,i32x8,i64x4,f32x2,f32x4,f64x2,f32x8,f64x4}
v?movdq{a,u} vmovdqa{32,64} vmovdqu{8,16,32,64} v?mov{a,u}p{s,d} v?mov{d,q} v?movnt{dq,dqa,ps,pd}
v?lddqu
v?pinsr{b,w,d,q} v?pextr{b,w,d,q} v?insertps v?extractps v?movmskp{s,d} v?pmovmskb v?ptest
v?ph{add,sub}{w,d,sw} v?phminposuw
vpmultishiftqb vpopcnt{b,w,d,q} vplzcnt{d,q} vpconflict{d,q} vp{compress,expand}{b,w,d,q}
v{compress,expand}p{s,d} vpshufbitqmb
v?gf2p8{mulb,affineqb,affineinvqb} v?aes{enc,enclast,dec,declast} v?aesimc v?pclmulqdq
v?pclmul{lqlq,hqlq,lqhq,hqhq}dq
vpdp{bu,ws}sd vpdp{bus,wss}ds vpdpb{ss,su,uu}d vpdpb{ss,su,uu}ds vpmadd52{l,h}uq
vp{gather,scatter}{d,q}{d,q} v{gather,scatter}{d,q}p{s,d}
vpmaskmov{d,q} vmaskmovp{s,d} v?mov{s,d,sl,sh}dup v?movddup v?mov{ss,sd} vmov{w,sh} v?mov{hl,lh}ps
v?mov{h,l}p{s,d} v?shufp{s,d} v?unpck{l,h}p{s,d}
v?{add,sub,mul,div,min,max}{p,s}{s,d} v?sqrt{p,s}{s,d} v?round{p,s}{s,d} vrndscale{p,s}{s,d}
v?h{add,sub}p{s,d} v?addsubp{s,d}
vf{,n}m{add,sub}{132,213,231}{p,s}{s,d} v?cmp{eq,lt,le,unord,neq,nlt,nle,ord}{p,s}{s,d}
vcmp{eq_uq,neq_oq,nge,ngt,ge,gt,true,false}p{s,d}
v?cvt{dq2ps,dq2pd,ps2dq,pd2dq,tps2dq,tpd2dq,ps2pd,pd2ps,ss2sd,sd2ss} v?cvt{si2ss,si2sd}{,l,q}
v?cvt{,t}s{s,d}2si
vcvt{udq2ps,udq2pd,ps2udq,tps2udq,qq2pd,uqq2pd,qq2ps,uqq2ps,tpd2qq,tps2qq,tpd2udq,ph2ps,ps2ph}
vcvt{pd2ps,pd2dq,tpd2dq,qq2ps,uqq2ps}{x,y} vcvtusi2s{s,d}{l,q} v?{u,}comis{s,d} v?rcpps v?rsqrtps
vr{cp,sqrt}14{p,s}{s,d} vtestp{s,d} vzero{upper,all}
vpmov{d,q}2m vfpclassp{s,d} v?aeskeygenassist v?pcmp{e,i}str{i,m} vpdpw{su,us,uu}{d,ds}
sha1{msg1,msg2,nexte,rnds4} sha256{msg1,msg2,rnds2} vsha512{msg1,msg2,rnds2} vsm3{msg1,msg2,rnds2}
vsm4{key4,rnds4}
"""

# Mask registers.
MASK = "k{mov,and,andn,or,xor,xnor,not,add,ortest,test,shiftl,shiftr}{b,w,d,q} kunpck{bw,wd,dq}"

# General registers, with operand sizes written out.
GENERAL = """
{add,sub,and,or,xor,cmp,test,adc,sbb,mov,imul,inc,dec,neg,not,shl,shr,sar,rol,ror,xchg,bt,bts,btr,btc,mul,div,idiv,push,pop}{b,w,l,q}
movabsq
lea{w,l,q} movz{bw,bl,bq,wl,wq} movs{bw,bl,bq,wl,wq,lq} shld{w,l,q} shrd{w,l,q}
{lzcnt,tzcnt,popcnt,bsf,bsr}{w,l,q}
{andn,bextr,bzhi,shlx,shrx,sarx,rorx,pdep,pext,mulx,blsr,blsi,blsmsk,movbe}{l,q} bswap{l,q}
set{e,ne,b,ae,a,be,l,ge,g,le,s,ns,o,no,p,np} cmov{e,ne,b,ae,a,be,l,ge,g,le,s,ns,o,no,p,np}{w,l,q}
cltq cqto cltd cwtd cwtl cbtw leave nop nop{w,l,q} vzeroupper
prefetch{t0,t1,t2,nta} mfence sfence
"""

BRANCHES = "jmp je jne jb jae ja jbe jl jge jg jle js jns jo jno jp jnp"
