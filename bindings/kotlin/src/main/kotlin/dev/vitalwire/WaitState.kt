package dev.vitalwire

import dev.vitalwire.ffi.WaitProgress as NativeWaitProgress
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.channelFlow

/** A record whose analysis can be waited for. */
public interface AwaitableRecord {
    /** Its id, where it has one. */
    public val id: String? get() = null
}

/** How far a wait is. */
public class WaitProgress internal constructor(native: NativeWaitProgress) {
    /** How often the record was read; 0 when an upload has just been answered. */
    public val polls: Int = native.polls.toInt()

    /** The status, as the service calls it. */
    public val status: String = native.status

    /** Time since the wait began, an upload included. */
    public val elapsed: Duration = native.elapsedMs.shown()

    /** After an upload, the id of its record: it can be waited for again, whatever becomes of this wait. */
    public val recordId: String? = native.recordId

    /** [elapsed] for Java. */
    @JvmName("getElapsed")
    public fun elapsedForJava(): java.time.Duration = elapsed.toJavaDuration()

    /** Shows neither status nor id. */
    override fun toString(): String = "WaitProgress(polls $polls)"
}

/** What is told of an analysis that is waited for. */
public sealed class WaitState<out T> {
    /** An upload was answered, or the record was read and its analysis has not ended. */
    public class Progress internal constructor(
        /** How far it is. */
        public val progress: WaitProgress,
    ) : WaitState<Nothing>()

    /** The analysis has ended. */
    public class Ended<out T> internal constructor(
        /** The record as it was read at the end. */
        public val record: T,
    ) : WaitState<T>()

    /** Shows no values. */
    override fun toString(): String = if (this is Progress) "Progress(..)" else "Ended(..)"
}

/** A call that waits, as its states one after the other; none is lost to a slow collector. */
internal fun <T> states(wait: WaitOptions, call: suspend (WaitOptions) -> T): Flow<WaitState<T>> = channelFlow<WaitState<T>> {
    val record = call(wait.telling { trySend(WaitState.Progress(it)) })
    send(WaitState.Ended(record))
}.buffer(Channel.UNLIMITED)
