package dev.vitalwire

/**
 * Ready listeners for `onAttempt` of a client: they write each attempt as a line at the level DEBUG, without a value, a token or an id.
 *
 * Both find their logger by reflection, so that this package depends on neither.
 */
public object AttemptLog {
    /**
     * Writes to SLF4J.
     *
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
     * Writes to Android's log.
     *
     * @throws ClassNotFoundException elsewhere.
     */
    @JvmStatic
    @JvmOverloads
    public fun logcat(tag: String = "Vitalwire"): AttemptListener {
        val debug = Class.forName("android.util.Log").getMethod("d", String::class.java, String::class.java)
        return AttemptListener { attempt -> debug.invoke(null, tag, attempt.toString()) }
    }
}
