@file:JvmName("Mocks")

package dev.vitalwire.testing

import dev.vitalwire.MockResponse
import dev.vitalwire.MockResponses
import dev.vitalwire.ServiceRecord
import dev.vitalwire.VitalwireClient
import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/** Adds a mock response to a call. */
public fun MockResponses.add(call: Call, response: MockResponse): Unit = add(call.operation, response)

/** Removes all mock responses of a call. */
public fun MockResponses.clear(call: Call): Unit = clear(call.operation)

/** Replaces the mock responses of a call. Each attempt takes the next one; the last one repeats. */
public fun MockResponses.on(call: Call, vararg responses: MockResponse): MockResponses = apply {
    clear(call)
    responses.forEach { add(call, it) }
}

/** Replaces the mock responses of a call by records. Each attempt takes the next one; the last one repeats. */
public fun MockResponses.on(call: Call, vararg records: ServiceRecord): MockResponses =
    on(call, *records.map { MockResponse.of(it) }.toTypedArray())

/** Creates a set of mock responses with which every call fails. */
public fun MockResponses.Companion.failing(failure: Failure): MockResponses =
    MockResponses().apply { Call.allKnown.forEach { add(it, failure.response) } }

/** Creates a set with a delayed synthetic response to every call, for example to preview a loading screen. */
public fun MockResponses.Companion.delayed(delay: Duration): MockResponses =
    MockResponses().apply { Call.allKnown.forEach { add(it, it.sample.delayed(delay)) } }

/** Creates a set with delayed synthetic responses, for Java. */
public fun delayed(delay: java.time.Duration): MockResponses = MockResponses.delayed(delay.toKotlinDuration())

/** Creates a mock response with a record as its body. */
public fun MockResponse.Companion.of(record: ServiceRecord): MockResponse = MockResponse.json(record.toJson())

/** Creates a mock response with a list of records as its body. */
public fun MockResponse.Companion.of(records: List<ServiceRecord>): MockResponse =
    MockResponse.json(records.joinToString(",", "[", "]") { it.toJson() })

/** Creates a mock response that makes a call fail. */
public fun MockResponse.Companion.failing(failure: Failure): MockResponse = failure.response

/** Returns a copy of the response with a longer delay. The delay counts against the timeouts of the call. */
public fun MockResponse.delayed(delay: Duration): MockResponse {
    val same = this
    return MockResponse {
        json = same.json
        status = same.status
        headers = same.headers
        this.delay = same.delay + delay
    }
}

/**
 * Creates a client with mock responses, for tests and previews. Calls work as usual, except that no request is sent, and need the
 * native library.
 *
 * ```kotlin
 * NightViewModel(VitalwireClient.mock(MockResponses.samples()))
 * NightViewModel(VitalwireClient.mock(MockResponses.failing(Failure.RATE_LIMITED)))
 * NightViewModel(VitalwireClient.mock(MockResponses.delayed(300.milliseconds)))
 * ```
 *
 * Retries are not delayed.
 */
@JvmOverloads
public fun VitalwireClient.Companion.mock(responses: MockResponses, settings: VitalwireClient.Builder.() -> Unit = {}): VitalwireClient =
    VitalwireClient {
        mockResponses = responses
        settings()
    }
