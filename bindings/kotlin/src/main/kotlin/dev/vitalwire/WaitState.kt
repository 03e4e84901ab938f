package dev.vitalwire

import dev.vitalwire.ffi.WaitProgress as NativeWaitProgress
import java.util.concurrent.CancellationException
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow

/** A record with an analysis to wait for. */
public interface AwaitableRecord {
    /** Id of the record; null if the record has none. */
    public val id: String? get() = null
}

/** Progress of a wait. */
public class WaitProgress internal constructor(native: NativeWaitProgress) {
    /** Number of polls so far; 0 after the response to an upload. */
    public val polls: Int = native.polls.toInt()

    /** Status of the analysis, in the service's words. */
    public val status: String = native.status

    /** Time since the wait began, including an upload. */
    public val elapsed: Duration = native.elapsedMs.toKotlin()

    /** Id of the uploaded record. With this id, you can wait again if this wait fails. */
    public val recordId: String? = native.recordId

    /** Returns [elapsed] for Java. */
    @JvmName("getElapsed")
    public fun elapsedForJava(): java.time.Duration = elapsed.toJavaDuration()

    /** Returns a description without status and id. */
    override fun toString(): String = "WaitProgress(polls $polls)"
}

/** State of a wait, as emitted by the flow of a waiting call. */
public sealed class WaitState<out T> {
    /** Progress of an analysis that has not ended. Emitted after an upload and after each poll. */
    public class Progress internal constructor(
        /** Progress of the wait. */
        public val progress: WaitProgress,
    ) : WaitState<Nothing>()

    /** Record of an analysis that has ended. Emitted last. */
    public class Ended<out T> internal constructor(
        /** The record after the analysis. */
        public val record: T,
    ) : WaitState<T>()

    /** Returns a description without values. */
    override fun toString(): String = if (this is Progress) "Progress(..)" else "Ended(..)"
}

/** Returns the states of a waiting call as a flow. A slow collector misses no state. */
internal fun <T> states(wait: WaitOptions, call: suspend (WaitOptions) -> T): Flow<WaitState<T>> = flow {
    var cancelled: WaitCancelledException? = null
    val states = channelFlow<WaitState<T>> {
        val record = try {
            call(wait.withProgressCallback { trySend(WaitState.Progress(it)) })
        } catch (error: WaitCancelledException) {
            cancelled = error
            throw error
        }
        send(WaitState.Ended(record))
    }
    try {
        withCollector { emitAll(states.buffer(Channel.UNLIMITED)) }
    } catch (error: CancellationException) {
        // A collector that stops early, such as `take`, also throws this exception, but its coroutine goes on.
        val isCancelled = currentCoroutineContext()[Job]?.isCancelled == true
        throw cancelled.takeIf { isCancelled } ?: error
    }
}
