"""Instructions that numpy and numba have no name for; LLVM lowers them for every processor."""

from __future__ import annotations

import sys

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

# For arguments: of a literal 0 or 1, numba would compile the called kernel once more.
ZERO, ONE = np.int64(0), np.int64(1)
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


def _load_vector(builder, place, length):
    """So many int32 from there."""
    vector = ir.VectorType(ir.IntType(32), length)
    loaded = builder.load(builder.bitcast(place, vector.as_pointer()))
    loaded.align = 4
    return loaded


def _smallest(builder, vector):
    """The smallest of a vector of int32."""
    kind = ir.FunctionType(ir.IntType(32), [vector.type])
    name = f"llvm.vector.reduce.smin.v{vector.type.count}i32"
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(function, [vector])


def _without_owner(context, builder, kind, value):
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        array.parent = ir.Constant(array.parent.type, None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for number, part in enumerate(kind.types):
            item = builder.extract_value(value, number)
            item = _without_owner(context, builder, part, item)
            value = builder.insert_value(value, item, number)
    return value


@intrinsic
def put64(_typing, data, index, value):
    """The reverse of `load64`: writes a uint64 into ``data[index : index + 8]``."""
    if not (isinstance(data, types.Array) and data.dtype == types.uint8 and data.layout == "C"):
        raise TypeError("put64 wants a contiguous uint8 array")

    def generate(context, builder, signature, arguments):
        array, place, word = arguments
        pointer = _address(context, builder, signature.args[0], array, place)
        pointer = builder.bitcast(pointer, ir.IntType(64).as_pointer())
        word = word if sys.byteorder == "little" else builder.bswap(word)
        builder.store(word, pointer).align = 1
        return context.get_dummy_value()

    return types.void(data, types.int64, types.uint64), generate


@intrinsic
def borrowed(_typing, arrays):
    """The same array, or tuple of arrays, without its owner, who must live longer.

    numba counts the owners of every array that goes into a function, with locked instructions:
    a few dozen of them cost more than a short function does.
    """

    def generate(context, builder, signature, arguments):
        return _without_owner(context, builder, signature.args[0], arguments[0])

    return arrays(arrays), generate


@intrinsic
def store64(_typing, array, index, value):
    """Writes a uint64 over ``array[index : index + 2]`` of an int32 array, the low half first."""
    if not (isinstance(array, types.Array) and array.dtype == types.int32 and array.layout == "C"):
        raise TypeError("store64 wants a contiguous int32 array")

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        items, place, value = arguments
        if sys.byteorder != "little":
            value = builder.or_(builder.shl(value, word(32)), builder.lshr(value, word(32)))
        place = _address(context, builder, signature.args[0], items, place)
        stored = builder.store(value, builder.bitcast(place, word.as_pointer()))
        stored.align = 4
        return context.get_dummy_value()

    return types.void(array, types.int64, types.uint64), generate


@intrinsic
def smallest_of_32(_typing, array, index):
    """The smallest of ``array[index : index + 32]``, int32."""
    if not (isinstance(array, types.Array) and array.dtype == types.int32 and array.layout == "C"):
        raise TypeError("smallest_of_32 wants a contiguous int32 array")

    def generate(context, builder, signature, arguments):
        place = _address(context, builder, signature.args[0], *arguments)
        return _smallest(builder, _load_vector(builder, place, 32))

    return types.int32(array, types.int64), generate


@intrinsic
def value_of_check(_typing, array, index, check, otherwise):
    """The smallest ``array[index + 8 + k]`` with ``array[index + k] == check``, k < 8; int32.

    `otherwise` is the answer where there is none, and no smaller one is found.
    """
    if not (isinstance(array, types.Array) and array.dtype == types.int32 and array.layout == "C"):
        raise TypeError("value_of_check wants a contiguous int32 array")

    def generate(context, builder, signature, arguments):
        number = ir.IntType(32)
        vector = ir.VectorType(number, 8)
        items, index, check, otherwise = arguments
        halves = []
        for half in range(2):
            at = builder.add(index, index.type(8 * half))
            place = _address(context, builder, signature.args[0], items, at)
            halves.append(_load_vector(builder, place, 8))
        nothing = ir.Constant(vector, ir.Undefined)
        zeros = ir.Constant(vector, [0] * 8)
        wanted, rest = (
            builder.shuffle_vector(
                builder.insert_element(nothing, scalar, number(0)), nothing, zeros
            )
            for scalar in (check, otherwise)
        )
        equal = builder.icmp_signed("==", halves[0], wanted)
        return _smallest(builder, builder.select(equal, halves[1], rest))

    return types.int32(array, types.int64, types.int32, types.int32), generate


@intrinsic
def trailing_zeros(_typing, word):
    """How many zero bits are below the lowest one bit of a uint64 that is not 0."""

    def generate(context, builder, _signature, arguments):
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.uint64), generate


@intrinsic
def leading_zeros(_typing, word):
    """How many zero bits are above the highest one bit of a uint64 that is not 0."""

    def generate(context, builder, _signature, arguments):
        return builder.ctlz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.uint64), generate


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
