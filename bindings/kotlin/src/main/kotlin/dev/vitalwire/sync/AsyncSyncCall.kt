package dev.vitalwire

import java.util.concurrent.CompletableFuture
import java.util.function.Consumer
import kotlinx.coroutines.CoroutineScope

/** A [SyncCall] for Java. Cancelling a returned future aborts the calls in flight. */
public class AsyncSyncCall internal constructor(private val call: SyncCall, private val scope: CoroutineScope) {
    /**
     * Calls [listener] for each part, one at a time and in order. Apply the changes and store the state before it returns.
     *
     * The future completes after the last part, or with the error of [SyncCall.parts]. An exception in the listener ends the sync.
     */
    public fun forEachPart(listener: Consumer<SyncPart>): CompletableFuture<Void?> = scope.startCall {
        call.parts.collect { listener.accept(it) }
        null
    }

    /** Returns what the sync would request, by the clock of this device, without a request. */
    public fun plan(): CompletableFuture<SyncPlan> = scope.startCall { call.plan() }

    /** Returns the state with the [SyncOptions.events], without a request. Store it. The next sync reads the days. */
    public fun recordEvents(): CompletableFuture<ByteArray> = scope.startCall { call.recordEvents() }
}
