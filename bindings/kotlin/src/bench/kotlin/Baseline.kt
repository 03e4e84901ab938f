package dev.vitalwire.bench

import dev.vitalwire.ffi.MockResponse
import dev.vitalwire.ffi.MockResponses
import dev.vitalwire.ffi.CallOptions
import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.ProbeClient
import dev.vitalwire.ffi.SleepsGetParams
import dev.vitalwire.ffi.probeDecodeSeconds

/** What the package is measured against, below it. Types of the bindings have the names of the package's own. */
internal object Baseline {
    /** The core reads a sleep record. */
    fun decode(json: String): Way = { probeDecodeSeconds(json, it.toUInt()) }

    /** The generated bindings read a sleep record; the package's own is not made of it. */
    fun toNative(json: String): Way {
        val answers = MockResponses()
        answers.add("get_sleep", MockResponse(json = json))
        val client = NativeClient(ClientOptions(), mockResponses = answers)
        return timed { client.sleepsGet(SleepsGetParams("1"), CallOptions(), null) }
    }

    /** The Rust client makes a small call. */
    fun call(url: String, token: String): Way {
        val client = ProbeClient(url, token)
        return { client.seconds(it.toUInt()) }
    }
}
