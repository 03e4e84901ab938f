import Foundation
internal import VitalwireFFI

extension VitalwireClient {
    /// Syncs a copy of the user's records of these kinds: returns what has changed since the state of the last sync.
    ///
    /// ```swift
    /// for try await part in client.sync([.daily, .sleeps], secret: secret, user: "user-7", state: stored) {
    ///     try database.write { transaction in
    ///         for change in part.changes { try apply(change, in: transaction) }
    ///         try save(part.state, in: transaction)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - kinds: The kinds of records.
    ///   - secret: Random bytes that your application keeps outside of the states, at least 16. Digests in states are keyed with them.
    ///   - user: Your own id of the user. States contain only its digest.
    ///   - state: The state of the last sync. Defaults to a first sync.
    ///   - from: The first day of the copy. An earlier day than in the last sync adds the days in between. A later day has no effect.
    ///     Defaults to that of the last sync, and to 365 days ago for the first one.
    ///   - lookBack: The number of days before the last requested day that are requested again, because providers deliver late and correct
    ///     values. Must be from 1 to 3,660. Defaults to 7.
    ///   - events: The events whose days to request, too. Pass them again if the sync returns no part.
    ///   - checkAccount: Whether to request the user's information first. It shows whether the token belongs to the user of the state, and
    ///     whether the user has connected a provider, which can add data to any day. Without it, the token of any user is accepted.
    ///     Defaults to `true`.
    ///   - expectAccount: The id of the user at the service. If the token belongs to another user, the sync fails before it reads records.
    ///     Defaults to any user for a first sync, and to the user of the state for later ones.
    ///   - serviceName: The name of the service in states, for a service whose base URL changes. Defaults to the base URL.
    ///   - options: The timeouts, retries and token of each call. Options that are not set default to the client's settings.
    public func sync(
        _ kinds: Set<RecordKind>,
        secret: Data,
        user: String,
        state: Data? = nil,
        from: CalendarDate? = nil,
        lookBack: Int? = nil,
        events: [SyncEvent] = [],
        checkAccount: Bool = true,
        expectAccount: String? = nil,
        serviceName: String? = nil,
        options: CallOptions = .init()
    ) -> SyncCall {
        SyncCall(client: self) { native, cancel in
            try native.sync(
                params: SyncParams(
                    kinds: kinds.map(\.native),
                    secret: secret,
                    user: user,
                    state: state,
                    first: from?.native,
                    lookBack: lookBack.map { UInt32(clamping: $0) },
                    events: events.map(\.native),
                    checkAccount: checkAccount,
                    expectAccount: expectAccount,
                    serviceName: serviceName),
                options: options.native, cancel: cancel)
        }
    }
}

/// A sync of a copy of the user's records. Iterate the sync to read the changes since the state of the last one. Days that an
/// interrupted sync has left come first, then the newest days.
///
/// A sync requests the days that were not requested yet or were not over, the look-back before them, and the days of events. It compares
/// them with the state. States do not expire, and contain no values. Ids and days are in a state as they are, so protect it like the copy.
///
/// Nothing is requested before the first part is read. Each iteration is a new sync from the same state, so create another sync from the
/// last stored state instead of a second iteration.
///
/// If two syncs start from one state, only one may store its states. Before you store one, compare ``generation(of:)`` of the stored state
/// with that of the state that this sync has read or stored last. If they differ, stop without applying the changes.
public struct SyncCall: AsyncSequence, Sendable {
    /// The changes of a span of days, and the state after them.
    public typealias Element = SyncPart

    typealias Begin = @Sendable (NativeClient, CancelToken) throws -> NativeSync

    let client: VitalwireClient
    let begin: Begin

    /// Returns an iterator that reads one part at a time.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Returns what the sync would request, by the clock of this device, without a request.
    ///
    /// - Throws: ``StateError`` if the state cannot be used. ``VitalwireError`` if an argument is invalid.
    public func plan() async throws -> SyncPlan {
        try client.prepareRange { SyncPlan(try begin($0, CancelToken.current()).plan()) }
    }

    /// Returns the state with the events, without a request. Store it. The next sync reads the days.
    ///
    /// - Throws: ``StateError`` if the state cannot be used. ``VitalwireError`` if an argument is invalid.
    public func recordEvents() async throws -> Data {
        try client.prepareRange { try begin($0, CancelToken.current()).recordEvents() }
    }

    /// Returns the number of a state, which every later state of a copy raises.
    ///
    /// - Throws: ``StateError`` if the state is damaged, or belongs to another version.
    public static func generation(of state: Data) throws -> UInt64 { try translateErrors { try stateGeneration(state: state) } }

    /// An iterator over the parts of a sync.
    ///
    /// Only one task at a time may read. Calls in flight are cancelled when the last copy is released.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let client: VitalwireClient
        private let cancel: CancelToken
        private let native: Result<NativeSync, any Error>

        init(_ call: SyncCall) {
            let cancel = CancelToken.current()
            (client, self.cancel) = (call.client, cancel)
            native = Result { try call.client.prepareRange { try call.begin($0, cancel) } }
        }

        /// Returns the next part; `nil` after the last part and after an error.
        ///
        /// A part that fails is left out, and its days stay due. After the last part, the last error is thrown. The sync ends earlier if
        /// the error would occur for every part: the token is rejected, or the service cannot be reached. In all cases, the parts that
        /// were returned stay valid, and the next sync continues from the state of the last one.
        ///
        /// - Throws: ``StateError`` if the state cannot be used. `CancellationError` if the task is cancelled. ``VitalwireError`` if a call
        ///   fails or an argument is invalid.
        public func next() async throws -> SyncPart? {
            let native = try self.native.get()
            return try await withTaskCancellationHandler {
                do {
                    return try await native.next().map { SyncPart($0) }
                } catch let ApiError.State(reason, text) {
                    throw StateError(reason, text)
                } catch let ApiError.Failed(info) {
                    if Task.isCancelled { throw CancellationError() }
                    throw client.error(info)
                }
            } onCancel: {
                cancel.cancel()
            }
        }
    }
}

extension SyncCall: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without user, secret and state.
    public var description: String { "SyncCall(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SyncCall.Iterator: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without user, secret and state.
    public var description: String { "Iterator(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
