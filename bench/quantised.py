"""Constants of the quantised kernels, as a model would hold them: zero points, multipliers of
31 bits with shifts, activation bounds.
"""

from __future__ import annotations

from typing import Final

# Elementwise: zero points of the operands and of the result, and the bounds of the activation.
ZERO_A: Final = 117
ZERO_B: Final = 131
ZERO_OUT: Final = 121
LEAST: Final = 3
MOST: Final = 250

# Addition: scales of the operands over the result's, with 14 fractional bits, in 16-bit
# multipliers.
ADD_A: Final = 13107
ADD_B: Final = 9830
ADD_SHIFT: Final = 14

# Multiplication: 0.0118 as a multiplier in [2**30, 2**31) and a right shift.
MUL_MULTIPLIER: Final = 1621735178
MUL_SHIFT: Final = 6

# Layers: zero points of input and filter; the shift brings sums of the layer's depth to about a
# byte.
ZERO_IN: Final = 124
ZERO_FILTER: Final = 119
LAYER_MULTIPLIER: Final = 1518500250
DEPTHWISE_SHIFT: Final = 8
CONV_SHIFT: Final = 10
CONNECTED_SHIFT: Final = 11

# Softmax: beta times the input's scale times log2(e), with eight fractional bits; 2**-f is 1 - f *
# (EXP_LINEAR - f * EXP_SQUARE), both with 15 fractional bits.
BETA: Final = 9
EXP_LINEAR: Final = 22006
EXP_SQUARE: Final = 5622

# Gelu with 12 fractional bits: erf(x / sqrt 2) is sign(x) * (1 - GELU_SQUARE * (min(|x|, GELU_END)
# - GELU_END)**2); GELU_SQUARE has 15 fractional bits.
GELU_BITS: Final = 12
GELU_END: Final = 10247
GELU_SQUARE: Final = 4732
HIDDEN_SHIFT: Final = 14
# Factors of a product of matrices that are kept to these bounds let sums stay within 32 bits.
FACTOR: Final = 511
BIAS: Final = 1 << 28
