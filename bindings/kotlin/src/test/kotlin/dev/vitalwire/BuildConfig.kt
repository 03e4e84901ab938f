package dev.vitalwire

/** Stands for the class that Gradle generates for an Android application. */
internal object BuildConfig {
    val BASE_URL: String = System.getenv("VITALWIRE_BASE_URL")
    val TOKEN_URL: String = System.getenv("TOKEN_URL")
}
