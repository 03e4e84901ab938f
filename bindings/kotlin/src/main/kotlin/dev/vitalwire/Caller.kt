package dev.vitalwire

import java.util.concurrent.CompletableFuture
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.jvm.internal.CoroutineStackFrame
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.future.future
import kotlinx.coroutines.withContext

/**
 * Makes a call, such as `sleeps.get`. An exception gets the name of the call and the frames of the caller.
 *
 * Calls run on other threads, so the stack trace of an exception has no frame of the caller.
 */
internal suspend fun <T> withCaller(call: String, work: suspend () -> T): T =
    try {
        work()
    } catch (error: VitalwireException) {
        val frames = suspendCoroutineUninterceptedOrReturn<List<StackTraceElement>> { callerFrames(it) }
        throw error.apply { addCaller(call, frames) }
    }

/** Adds the collector's frames to the exceptions of a flow. Another coroutine makes the call, so its frames lack the collector. */
internal suspend fun <T> withCollector(work: suspend () -> T): T = withFrames(work)

/**
 * Runs work that needs the native library, but makes no call, on [Dispatchers.IO]. Loading the library would block a UI thread. An
 * exception gets the frames of the caller.
 */
internal suspend fun <T> runInBackground(work: () -> T): T = withFrames { withContext(Dispatchers.IO) { work() } }

private suspend fun <T> withFrames(work: suspend () -> T): T =
    try {
        work()
    } catch (error: VitalwireException) {
        val frames = suspendCoroutineUninterceptedOrReturn<List<StackTraceElement>> { callerFrames(it) }
        throw error.apply { addCaller(call, frames) }
    }

/** Returns the frames of the suspended callers of this continuation, followed by those of the Java caller. */
private fun callerFrames(continuation: Continuation<*>): List<StackTraceElement> {
    val waiting = generateSequence((continuation as? CoroutineStackFrame)?.callerFrame) { it.callerFrame }
    return waiting.mapNotNull { it.getStackTraceElement() }.toList() + continuation.context[JavaCaller]?.frames.orEmpty()
}

/** Starts a call for Java. Records the stack frames of the calling thread for exceptions, and the token provider that runs on it. */
internal fun <T> CoroutineScope.startCall(work: suspend CoroutineScope.() -> T): CompletableFuture<T> =
    future(JavaCaller() + ProviderElement.ofThread(), block = work)

/** Starts work for Java that makes no call. Cancelling the future cancels the work. */
internal fun <T> startForJava(work: suspend () -> T): CompletableFuture<T> = CoroutineScope(Dispatchers.IO).startCall { work() }

/** The frames of a caller in Java. The JVM creates them only if they are read, after a failure. */
private class JavaCaller : AbstractCoroutineContextElement(JavaCaller) {
    private val created = Throwable()

    val frames: List<StackTraceElement> get() = created.stackTrace.toList()

    companion object : CoroutineContext.Key<JavaCaller>
}
