"""Instructions that numpy and numba have no name for; LLVM lowers them for every processor."""

from __future__ import annotations

import sys

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

# Odd constants without a pattern, of wyhash.
_ODD_A = np.uint64(0xA0761D6478BD642F)
_ODD_B = np.uint64(0xE7037ED1A0B428DB)


def _address(context, builder, array_type, array, index):
    """A pointer to ``array[index]``, without a check of bounds and without wraparound."""
    items = context.make_array(array_type)(context, builder, array)
    return cgutils.gep_inbounds(builder, items.data, index)


@intrinsic
def load64(_typing, data, index):
    """``data[index : index + 8]`` of a uint8 array as one little-endian uint64."""
    if not (isinstance(data, types.Array) and data.dtype == types.uint8 and data.layout == "C"):
        raise TypeError("load64 wants a contiguous uint8 array")

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        place = _address(context, builder, signature.args[0], *arguments)
        loaded = builder.load(builder.bitcast(place, word.as_pointer()))
        loaded.align = 1
        return loaded if sys.byteorder == "little" else builder.bswap(loaded)

    return types.uint64(data, types.int64), generate


@intrinsic
def prefetch(_typing, array, index):
    """Asks for the cache line of ``array[index]``, which is about to be read and written."""
    if not (isinstance(array, types.Array) and array.layout == "C" and array.ndim == 1):
        raise TypeError("prefetch wants a contiguous array of one dimension")

    def generate(context, builder, signature, arguments):
        byte, number = ir.IntType(8), ir.IntType(32)
        place = _address(context, builder, signature.args[0], *arguments)
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), number, number, number])
        name = "llvm.prefetch.p0i8"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        for_reading, keep_near, data_cache = number(0), number(3), number(1)
        pointer = builder.bitcast(place, byte.as_pointer())
        builder.call(function, [pointer, for_reading, keep_near, data_cache])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def multiply_high(_typing, a, b):
    """The upper half of the product of two uint64."""

    def generate(context, builder, _signature, arguments):
        wide = ir.IntType(128)
        left, right = (builder.zext(argument, wide) for argument in arguments)
        high = builder.lshr(builder.mul(left, right), wide(64))
        return builder.trunc(high, ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@njit(nogil=True, cache=True, inline="always")
def mix(low, high):
    """128 bits to 64 that are equally good everywhere: a product folded on itself (wyhash)."""
    a = low ^ _ODD_A
    b = high ^ _ODD_B
    return (a * b) ^ multiply_high(a, b)
