package dev.vitalwire

import dev.vitalwire.ffi.Attempt

/**
 * Ready functions for `onAttempt` of [VitalwireClient]: they write each attempt as a line at the level DEBUG, without a value, a token or an id.
 *
 * Both find their logger by reflection, so that this package depends on neither.
 */
object AttemptLog {
    /**
     * Writes to SLF4J.
     *
     * @throws ClassNotFoundException if SLF4J is not on the class path.
     */
    @JvmStatic
    @JvmOverloads
    fun slf4j(name: String = "dev.vitalwire"): (Attempt) -> Unit {
        val logger = Class.forName("org.slf4j.LoggerFactory").getMethod("getLogger", String::class.java).invoke(null, name)
        val type = Class.forName("org.slf4j.Logger")
        val enabled = type.getMethod("isDebugEnabled")
        val debug = type.getMethod("debug", String::class.java)
        return { attempt -> if (enabled.invoke(logger) as Boolean) debug.invoke(logger, attempt.text) }
    }

    /**
     * Writes to Android's log.
     *
     * @throws ClassNotFoundException elsewhere.
     */
    @JvmStatic
    @JvmOverloads
    fun logcat(tag: String = "Vitalwire"): (Attempt) -> Unit {
        val debug = Class.forName("android.util.Log").getMethod("d", String::class.java, String::class.java)
        return { attempt -> debug.invoke(null, tag, attempt.text) }
    }
}
