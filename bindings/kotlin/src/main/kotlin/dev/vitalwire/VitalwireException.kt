package dev.vitalwire

import dev.vitalwire.ffi.ApiException
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.ErrorKind
import java.util.concurrent.CancellationException

/** A failed call. Its message holds no health data, tokens, URLs or bodies; everything known is in [info]. */
class VitalwireException(
    /** Kind, status, problem details, request id, attempts. */
    val info: ErrorInfo,
) : Exception(info.text) {
    /** What went wrong. */
    val kind: ErrorKind get() = info.kind

    /** The kind's stable number, the same in every language. */
    val code: Int get() = info.code.toInt()

    /**
     * Whether the service may have done what the failed call asked for, although no answer says so. Otherwise it surely did not. Look
     * whether it is there before an upload is sent again.
     */
    val mayHaveTakenEffect: Boolean get() = info.mayHaveTakenEffect

    /** Whether the same call may well succeed a little later; false for an upload that may have been taken. */
    val isTransient: Boolean get() = info.isTransient
}

/**
 * A cancelled coroutine waited for an analysis: [info] has the id of the record that was uploaded and the record as it was read last, as
 * far as they are known. Coroutines treat it as any cancellation, so it ends the coroutine in silence unless it is caught.
 */
class WaitCancelledException internal constructor(
    failure: VitalwireException,
    cause: CancellationException,
) : CancellationException(failure.message) {
    /** What was known when the wait ended. */
    val info: ErrorInfo = failure.info

    init {
        initCause(cause)
    }
}

/** Turns the boundary's error into the one that applications see. */
internal inline fun <T> translated(work: () -> T): T =
    try {
        work()
    } catch (error: ApiException.Failed) {
        throw VitalwireException(error.info)
    }
