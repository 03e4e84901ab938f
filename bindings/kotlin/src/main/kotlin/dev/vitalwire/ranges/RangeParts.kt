package dev.vitalwire

/** The parts of a range, read one by one. [RangeCall.parts] does the same for a collector. */
public interface RangeParts<T> : RangeReader<RangePart<T>>
