package dev.vitalwire.stranger

/** Stands for the class that Gradle generates for the sample application. */
internal object BuildConfig {
    const val DEBUG: Boolean = true

    /** Variable, so that a test can simulate a published application. */
    var SANDBOX: Boolean = true
}
