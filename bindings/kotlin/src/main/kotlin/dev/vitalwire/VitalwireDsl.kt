package dev.vitalwire

/** Marks builders, so that within one the values of an outer one are not set by accident. */
@DslMarker
@Target(AnnotationTarget.CLASS)
public annotation class VitalwireDsl
