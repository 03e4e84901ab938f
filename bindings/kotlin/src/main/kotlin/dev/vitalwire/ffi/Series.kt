package dev.vitalwire.ffi

import java.nio.ByteBuffer
import java.nio.ByteOrder

/** A series of doubles, kept as the one buffer it crossed in: little endian, eight bytes a number. */
class Series(internal val bytes: ByteArray) : AbstractList<Double>(), RandomAccess {
    private val numbers get() = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer()

    override val size: Int get() = bytes.size / Double.SIZE_BYTES

    override fun get(index: Int): Double = numbers.get(index)

    /** The numbers as an array of primitives. */
    fun toDoubleArray(): DoubleArray = DoubleArray(size).also { numbers.get(it) }

    /** Shows the length, no values. */
    override fun toString(): String = "Series($size numbers)"
}
