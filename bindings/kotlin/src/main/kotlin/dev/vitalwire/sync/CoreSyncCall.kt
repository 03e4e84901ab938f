package dev.vitalwire

import dev.vitalwire.ffi.NativeSync
import dev.vitalwire.ffi.SyncParams
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/** Parameters of a sync, copied from the caller. */
internal class SyncParameters(val kinds: Set<RecordKind>, val secret: ByteArray, val user: String, val state: ByteArray?)

/** A sync that runs in the native library. */
internal class CoreSyncCall(private val calls: Calls, private val parameters: SyncParameters, private val options: SyncOptions) : SyncCall {
    override val parts: Flow<SyncPart> = flow {
        withCaller(NAME) { create() }.use { sync ->
            while (true) emit(withCaller(NAME) { calls.native { sync.next()?.let(SyncPart::of) } } ?: break)
        }
    }

    override suspend fun plan(): SyncPlan = withCaller(NAME) {
        create().use { sync -> calls.native { SyncPlan.of(sync.plan()) } }
    }

    override suspend fun recordEvents(): ByteArray = withCaller(NAME) {
        create().use { sync -> calls.native { sync.recordEvents() } }
    }

    private suspend fun create(): NativeSync = calls.native { client ->
        val native = SyncParams(
            kinds = parameters.kinds.map { it.toNative() },
            secret = parameters.secret,
            user = parameters.user,
            state = parameters.state,
            first = options.from?.toNative(),
            lookBack = options.lookBack?.toNative(),
            events = options.events.map { it.toNative() },
            checkAccount = options.checkAccount,
            expectAccount = options.expectAccount,
            serviceName = options.serviceName,
        )
        client.sync(native, options.toNative(), null)
    }

    /** Returns a description without user, secret and state. */
    override fun toString(): String = "SyncCall(..)"

    private companion object {
        /** Name of the call. */
        const val NAME = "sync"
    }
}
