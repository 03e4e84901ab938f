import Foundation
internal import VitalwireFFI

/// The error of a state of a sync that cannot be used. Use the right state, or start again without one, from the first day of the copy. A
/// first sync returns no removed records, so remove the user's records from the copy first.
public struct StateError: Error, Hashable, Sendable {
    /// The reason why a state cannot be used.
    public enum Reason: String, Codable, Hashable, Sendable {
        /// The bytes are not those of a state, or were changed.
        case damaged
        /// The state has the layout of another version of this library.
        case unsupportedVersion
        /// The state was made with another secret.
        case otherKey
        /// The state belongs to another base URL, service name or data set of a sandbox.
        case otherService
        /// The state belongs to another user or account.
        case otherUser
    }

    /// Reason why the state cannot be used.
    public let reason: Reason
    /// Kind of the error, as of every invalid argument.
    public var kind: ErrorKind { .invalidArgument }
    private let text: String

    init(_ native: StateReason, _ text: String) {
        self.text = text
        reason =
            switch native {
            case .damaged: .damaged
            case .unsupportedVersion: .unsupportedVersion
            case .otherKey: .otherKey
            case .otherService: .otherService
            case .otherUser: .otherUser
            }
    }
}

extension StateError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The text for logs: the reason and the remedy.
    public var description: String { text }

    public var debugDescription: String { text }
}
