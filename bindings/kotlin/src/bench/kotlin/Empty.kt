package dev.vitalwire.bench

/** Does nothing, to measure the start and end of a JVM. */
fun main() {}
