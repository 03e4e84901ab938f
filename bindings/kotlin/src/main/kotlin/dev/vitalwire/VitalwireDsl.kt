package dev.vitalwire

/** Marks builders, so that a nested builder block cannot set values of the outer one by accident. */
@DslMarker
@Target(AnnotationTarget.CLASS)
public annotation class VitalwireDsl
