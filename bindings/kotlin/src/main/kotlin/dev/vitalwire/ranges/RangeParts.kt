package dev.vitalwire

/** A reader of the parts of a range, one by one. [RangeCall.parts] returns them as a flow. */
public interface RangeParts<T> : RangeReader<RangePart<T>>
