import Foundation

/// A failed call. Its text holds no health data, tokens, URLs or bodies; everything known is in `info`.
public struct VitalwireError: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// Kind, status, problem details, request id, attempts.
    public let info: ErrorInfo

    /// What went wrong.
    public var kind: ErrorKind { info.kind }

    /// The kind's stable number, the same in every language.
    public var code: UInt16 { info.code }

    /// Whether the service may have done what the failed call asked for, although no answer says so. Otherwise it surely did not.
    /// Look whether it is there before an upload is sent again.
    public var mayHaveTakenEffect: Bool { info.mayHaveTakenEffect }

    /// Whether the same call may well succeed a little later; false for an upload that may have been taken.
    public var isTransient: Bool { info.isTransient }

    public var description: String { info.text }

    public var errorDescription: String? { info.text }

    /// Shows no values to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Turns the native side's error into the one that applications see.
func translated<Value>(_ work: () throws -> Value) throws -> Value {
    do {
        return try work()
    } catch let ApiError.Failed(info) {
        throw VitalwireError(info: info)
    }
}
