package dev.vitalwire

import dev.vitalwire.ffi.ErrorInfo

/** Converts names in errors of the native library, which are in snake case, to the names of this package. */
internal object Spelling {
    /** Names that are written by hand in this package, by their names in the native library. */
    private val OTHERS = mapOf(
        "care_token_provider" to "careTokenProvider",
        "event" to "events",
        "expect_account" to "expectAccount",
        "expected_state" to "expectedState",
        "check_account" to "checkAccount",
        "image" to "picture",
        "look_back" to "lookBack",
        "missing_rows" to "missingRows",
        "mock_responses" to "mockResponses",
        "on_attempt" to "onAttempt",
        "part_length" to "partLength",
        "platform_trust" to "platformTrust",
        "resume_key" to "resumeKey",
        "resume_token" to "resume",
        "token_provider" to "tokenProvider",
    )

    /** The end of a reason that names settings of the environment, which this package does not read. */
    private val ENVIRONMENT = Regex(", or VITALWIRE_[A-Z_]+ and create the client from the environment")

    /** A name of several words in a reason. Single words, such as "event", may be ordinary words there. */
    private val NAME = Regex("\\b[a-z]+(?:_[a-z]+)+\\b")

    /** Returns this package's name of an argument or setting. A name of the caller, such as that of a header, stays unchanged. */
    fun argument(name: String): String {
        // Mock responses are followed by the id of an operation, which the caller sets.
        val (first, rest) = name.substringBefore('.') to name.substringAfter('.', "")
        return (NAMES[first] ?: OTHERS[first] ?: first) + if (rest.isEmpty()) "" else ".$rest"
    }

    /** Returns a reason with this package's names. */
    fun reason(text: String): String = NAME.replace(ENVIRONMENT.replace(text, "")) { argument(it.value) }

    /** Returns the text of an error with this package's names. Paths in it keep the names of the service. */
    fun text(info: ErrorInfo): String {
        val reason = info.reason
        val text = if (reason == null) info.text else info.text.replaceFirst(reason, reason(reason))
        val name = info.argument ?: return text
        val what = if (info.code.toInt() == ErrorKind.CONFIGURATION.code) "setting" else "argument"
        return text.replaceFirst("argument $name", "$what ${argument(name)}")
    }
}
