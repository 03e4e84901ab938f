#if os(Linux) || os(macOS)
    import Foundation
    import Vitalwire

    /// Signs a user id for the token exchange: HMAC-SHA256 under the application key, as lower-case hex.
    ///
    /// Pass the signature to `tokens.exchange`.
    ///
    /// - Parameters:
    ///   - userID: The user id.
    ///   - key: The application key. Trailing line ends are removed.
    /// - Throws: `VitalwireError` of kind `ErrorKind.configuration` if the key is shorter than 16 bytes, quoted,
    ///   surrounded by white space, contains a line break or begins with `Bearer `; of kind `ErrorKind.invalidArgument` if the
    ///   key or the user id is empty.
    public func signUserID(_ userID: String, key: Data) throws -> String { try ServerFunctions.signUserID(userID, key: key) }

    /// Signs a user id with a key that is a text.
    public func signUserID(_ userID: String, key: String) throws -> String { try signUserID(userID, key: Data(key.utf8)) }
#endif
