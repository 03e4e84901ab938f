package dev.vitalwire

/**
 * Listeners for `onAttempt` that log each attempt as one line at level DEBUG, without health data, tokens and ids.
 *
 * The listeners find the logger by reflection, so that this package depends on no logging library.
 */
public object AttemptLog {
    /**
     * Creates a listener that logs to SLF4J.
     *
     * @param name name of the logger. Defaults to `dev.vitalwire`.
     * @throws ClassNotFoundException if SLF4J is not on the class path.
     */
    @JvmStatic
    @JvmOverloads
    public fun slf4j(name: String = "dev.vitalwire"): AttemptListener {
        val logger = Class.forName("org.slf4j.LoggerFactory").getMethod("getLogger", String::class.java).invoke(null, name)
        val type = Class.forName("org.slf4j.Logger")
        val enabled = type.getMethod("isDebugEnabled")
        val debug = type.getMethod("debug", String::class.java)
        return AttemptListener { attempt -> if (enabled.invoke(logger) as Boolean) debug.invoke(logger, attempt.toString()) }
    }

    /**
     * Creates a listener that logs to Android's Logcat.
     *
     * @param tag tag of the log lines. Defaults to `Vitalwire`.
     * @throws ClassNotFoundException on systems other than Android.
     */
    @JvmStatic
    @JvmOverloads
    public fun logcat(tag: String = "Vitalwire"): AttemptListener {
        val debug = Class.forName("android.util.Log").getMethod("d", String::class.java, String::class.java)
        return AttemptListener { attempt -> debug.invoke(null, tag, attempt.toString()) }
    }
}
