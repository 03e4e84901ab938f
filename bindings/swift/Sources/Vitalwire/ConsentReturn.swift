extension ConsentReturn {
    /// Reads what the browser brought back: a whole URL of any scheme, a path with its query, or a query.
    ///
    /// - Parameters:
    ///   - expectedState: the state that the flow began with. Pass `nil` only where it began without one: then nothing tells a
    ///     genuine return from one that somebody made up.
    /// - Throws: `VitalwireError` of kind `signature` where the state is another, `decode` where it is no return.
    public init(url: String, expectedState: String?) throws {
        self = try translated { try parseReturn(url: url, expectedState: expectedState) }
    }
}
