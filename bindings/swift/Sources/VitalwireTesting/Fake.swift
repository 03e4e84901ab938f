import Vitalwire

extension VitalwireError {
    /// Creates an error for a fake to throw.
    ///
    /// - Parameters:
    ///   - kind: The kind of the error.
    ///   - text: The description for developers. Defaults to "a fake failed".
    public static func fake(_ kind: ErrorKind, _ text: String = "a fake failed") -> VitalwireError { VitalwireError(kind, text) }

    static func notFaked(_ call: String) -> VitalwireError { VitalwireError(.configuration, "the fake does not implement \(call)") }
}

extension WaitCall {
    /// Creates a wait that ends with a record, for a fake to return.
    ///
    /// - Parameters:
    ///   - record: The record of the last poll.
    ///   - progress: The progress to report before the record. Defaults to none.
    public static func ended(_ record: Record, after progress: [Progress] = []) -> WaitCall {
        WaitCall { onProgress in
            for state in progress { onProgress?(state) }
            return record
        }
    }

    /// Creates a wait that fails, for a fake to return.
    public static func failing(_ error: any Error) -> WaitCall { WaitCall { _ in throw error } }
}

extension WaitCall.Progress {
    /// Creates progress for a fake to report.
    public static func fake(polls: Int, status: String = "processing", elapsed: Duration = .zero, recordID: String? = nil) -> Self {
        .init(polls: polls, status: status, elapsed: elapsed, recordID: recordID)
    }
}
