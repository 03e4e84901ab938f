@file:JvmName("TestAnswers")

package dev.vitalwire.testing

import dev.vitalwire.Answer
import dev.vitalwire.Answers
import dev.vitalwire.ServiceRecord
import dev.vitalwire.VitalwireClient
import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/** Adds the next answer of a call. */
public fun Answers.add(call: Call, answer: Answer): Unit = add(call.operation, answer)

/** Forgets the answers of a call, so that others can take their place. */
public fun Answers.clear(call: Call): Unit = clear(call.operation)

/** The same answers with others for one call: its first attempt gets the first, the last one stays. */
public fun Answers.answering(call: Call, vararg answers: Answer): Answers = apply {
    clear(call)
    answers.forEach { add(call, it) }
}

/** The same answers with records for one call: its first attempt gets the first, the last one stays. */
public fun Answers.answering(call: Call, vararg records: ServiceRecord): Answers =
    answering(call, *records.map { Answer.of(it) }.toTypedArray())

/** Every call fails. */
public fun Answers.Companion.failing(failure: Failure): Answers =
    Answers().apply { Call.allKnown.forEach { add(it, failure.answer) } }

/** A synthetic answer to every call, each after a time, such as for a preview of what is shown meanwhile. */
public fun Answers.Companion.delayed(delay: Duration): Answers =
    Answers().apply { Call.allKnown.forEach { add(it, it.sample.delayed(delay)) } }

/** The same for Java. */
public fun delayed(delay: java.time.Duration): Answers = Answers.delayed(delay.toKotlinDuration())

/** An answer that is a record. */
public fun Answer.Companion.of(record: ServiceRecord): Answer = Answer.json(record.toJson())

/** An answer that is a list of records. */
public fun Answer.Companion.of(records: List<ServiceRecord>): Answer = Answer.json(records.joinToString(",", "[", "]") { it.toJson() })

/** An answer with which a call fails. */
public fun Answer.Companion.failing(failure: Failure): Answer = failure.answer

/** The same answer, later; the time counts against the deadlines of the call. */
public fun Answer.delayed(delay: Duration): Answer {
    val same = this
    return Answer {
        json = same.json
        status = same.status
        headers = same.headers
        this.delay = same.delay + delay
    }
}

/**
 * A client that answers from memory, for tests and previews. Everything else of its calls is real, and needs the native library.
 *
 * ```kotlin
 * NightViewModel(VitalwireClient.answering(Answers.samples()))
 * NightViewModel(VitalwireClient.answering(Answers.failing(Failure.RATE_LIMITED)))
 * NightViewModel(VitalwireClient.answering(Answers.delayed(300.milliseconds)))
 * ```
 *
 * Waits before a further attempt are left out, unless [settings] say otherwise.
 */
@JvmOverloads
public fun VitalwireClient.Companion.answering(answers: Answers, settings: VitalwireClient.Builder.() -> Unit = {}): VitalwireClient =
    VitalwireClient {
        retryDelayScale = 0.0
        this.answers = answers
        settings()
    }
