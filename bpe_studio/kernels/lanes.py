"""64 bytes to 64 bits: which of them are what; LLVM makes vector instructions of it."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from bpe_studio.kernels.machine import _address

_LANES = ir.VectorType(ir.IntType(8), 64)


def _masked(compare, *arguments):
    """What an intrinsic returns that compares 64 bytes from ``data[index]`` on."""

    def generate(context, builder, signature, values):
        place = _address(context, builder, signature.args[0], *values[:2])
        loaded = builder.load(builder.bitcast(place, _LANES.as_pointer()))
        loaded.align = 1
        wanted = [_splat(builder, value) for value in values[2:]]
        return builder.bitcast(compare(builder, loaded, *wanted), ir.IntType(64))

    return types.uint64(*arguments), generate


def _splat(builder, value):
    """64 times the same byte."""
    nothing = ir.Constant(_LANES, ir.Undefined)
    one = builder.insert_element(nothing, value, ir.IntType(32)(0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64)
    return builder.shuffle_vector(one, nothing, order)


@intrinsic
def equal64(_typing, data, index, byte):
    """Which of ``data[index : index + 64]`` (uint8) are `byte`: bit i of a uint64 is byte i."""

    def compare(builder, loaded, wanted):
        return builder.icmp_unsigned("==", loaded, wanted)

    return _masked(compare, data, types.int64, types.uint8)


@intrinsic
def between64(_typing, data, index, low, high):
    """As `equal64`: which bytes are `low` … `high`, both included."""

    def compare(builder, loaded, first, last):
        shifted = builder.sub(loaded, first)
        return builder.icmp_unsigned("<=", shifted, builder.sub(last, first))

    return _masked(compare, data, types.int64, types.uint8, types.uint8)


@intrinsic
def count_ones(_typing, bits):
    """How many bits of a uint64 are set."""

    def generate(_context, builder, _signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate
