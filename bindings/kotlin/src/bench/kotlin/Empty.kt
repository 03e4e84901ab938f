package dev.vitalwire.bench

/** Does nothing, to measure how long a JVM takes to start and exit. */
fun main() {}
