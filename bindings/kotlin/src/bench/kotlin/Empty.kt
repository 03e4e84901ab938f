package dev.vitalwire.bench

/** What a JVM takes to start and to end. */
fun main() {}
