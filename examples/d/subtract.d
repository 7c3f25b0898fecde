/// A loop over bytes that LLVM turns into wider arithmetic than it needs; prints a sum of what it
/// makes, and what that has to be.
import core.stdc.stdio : printf;

extern (C) void subtract(ubyte* d, const(ubyte)* a, const(ubyte)* b)
{
    pragma(inline, false);
    for (int i = 0; i < 64; i++)
    {
        immutable s = a[i] - b[i];
        d[i] = cast(ubyte)(s < 0 ? 0 : s);
    }
}

extern (C) int main(int count, char** words)
{
    ubyte[64] a, b, d;
    foreach (i; 0 .. 64)
    {
        a[i] = cast(ubyte)(i * 37 + count);
        b[i] = cast(ubyte)(i * 91);
    }
    subtract(d.ptr, a.ptr, b.ptr);
    uint sum, wanted;
    foreach (i; 0 .. 64)
    {
        sum += d[i];
        wanted += a[i] > b[i] ? a[i] - b[i] : 0;
    }
    printf("%u %u\n", sum, wanted);
    return 0;
}
