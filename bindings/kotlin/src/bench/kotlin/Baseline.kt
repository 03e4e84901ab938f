package dev.vitalwire.bench

import dev.vitalwire.ffi.MockResponse
import dev.vitalwire.ffi.MockResponses
import dev.vitalwire.ffi.CallOptions
import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.ProbeClient
import dev.vitalwire.ffi.SleepsGetParams
import dev.vitalwire.ffi.probeDecodeSeconds

/** Baselines for measurements of the package. This file imports the types of the bindings, which have the same names as public types. */
internal object Baseline {
    /** Returns an alternative that decodes a sleep record in the core. */
    fun decode(json: String): Alternative = { probeDecodeSeconds(json, it.toUInt()) }

    /** Returns an alternative that decodes a sleep record in the generated bindings, without converting it to the package's record. */
    fun toNative(json: String): Alternative {
        val mockResponses = MockResponses()
        mockResponses.add("get_sleep", MockResponse(json = json))
        val client = NativeClient(ClientOptions(), mockResponses = mockResponses)
        return timed { client.sleepsGet(SleepsGetParams("1"), CallOptions(), null) }
    }

    /** Returns an alternative that makes a small call with the Rust client. */
    fun call(url: String, token: String): Alternative {
        val client = ProbeClient(url, token)
        return { client.seconds(it.toUInt()) }
    }
}
