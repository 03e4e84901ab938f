package dev.vitalwire.bench

import dev.vitalwire.ffi.MockResponse
import dev.vitalwire.ffi.MockResponses
import dev.vitalwire.ffi.CallOptions
import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.ProbeClient
import dev.vitalwire.ffi.SleepsGetParams
import dev.vitalwire.ffi.probeDecodeSeconds

/** Baselines for the package. The imported types are those of the bindings. They have the same names as types of the package. */
internal object Baseline {
    /** Decodes a sleep record in the core. */
    fun decode(json: String): Alternative = { probeDecodeSeconds(json, it.toUInt()) }

    /** Decodes a sleep record in the generated bindings, without creating the package's record. */
    fun toNative(json: String): Alternative {
        val mockResponses = MockResponses()
        mockResponses.add("get_sleep", MockResponse(json = json))
        val client = NativeClient(ClientOptions(), mockResponses = mockResponses)
        return timed { client.sleepsGet(SleepsGetParams("1"), CallOptions(), null) }
    }

    /** Makes a small call with the Rust client. */
    fun call(url: String, token: String): Alternative {
        val client = ProbeClient(url, token)
        return { client.seconds(it.toUInt()) }
    }
}
