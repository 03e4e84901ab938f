import Vitalwire

extension VitalwireError {
    /// An error for a fake to throw.
    ///
    /// - Parameters:
    ///   - kind: What went wrong.
    ///   - text: A sentence for the developer who reads it.
    public static func fake(_ kind: ErrorKind, _ text: String = "a fake failed") -> VitalwireError { VitalwireError(kind, text) }

    static func notFaked(_ call: String) -> VitalwireError { VitalwireError(.configuration, "the fake has no call \(call)") }
}

extension WaitCall {
    /// An analysis that ends with a record, for a fake to give.
    ///
    /// - Parameters:
    ///   - record: The record as it is read at the end.
    ///   - progress: What is told before.
    public static func ended(_ record: Record, after progress: [Progress] = []) -> WaitCall {
        WaitCall { told in
            for state in progress { told?(state) }
            return record
        }
    }

    /// An analysis that fails, for a fake to give.
    public static func failing(_ error: any Error) -> WaitCall { WaitCall { _ in throw error } }
}

extension WaitCall.Progress {
    /// Progress made by hand, for a fake to tell.
    public static func fake(polls: Int, status: String = "processing", elapsed: Duration = .zero, recordID: String? = nil) -> Self {
        .init(polls: polls, status: status, elapsed: elapsed, recordID: recordID)
    }
}
