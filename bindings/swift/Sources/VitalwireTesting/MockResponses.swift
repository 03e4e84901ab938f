import Vitalwire

extension MockResponses {
    /// Adds a mock response to a call.
    public func add(_ response: MockResponse, to call: Call) { add(response, to: call.operation) }

    /// Removes all mock responses of a call.
    public func clear(_ call: Call) { clear(call.operation) }

    /// Replaces the mock responses of a call, and returns the set. Each attempt takes the next response; the last one repeats.
    public func on(_ call: Call, _ responses: MockResponse...) -> MockResponses {
        clear(call)
        responses.forEach { add($0, to: call) }
        return self
    }

    /// Creates a set of mock responses with which every call fails.
    public static func failing(_ failure: Failure) -> MockResponses {
        all { _ in failure.response }
    }

    /// Creates a set of mock responses with a delayed synthetic response to every call, for example to preview a loading screen.
    public static func delayed(_ delay: Duration) -> MockResponses {
        all { MockResponse(json: $0.json, status: $0.status, delay: delay) }
    }

    private static func all(_ response: (Sample) -> MockResponse) -> MockResponses {
        let responses = MockResponses()
        for (call, sample) in Sample.all { responses.add(response(sample), to: call) }
        return responses
    }
}

extension VitalwireClient {
    /// Creates a client with mock responses, for tests and previews. Everything except the network is real.
    ///
    /// ```swift
    /// NightView(client: .mock(.samples))
    /// NightView(client: .mock(.failing(.rateLimited)))
    /// NightView(client: .mock(.delayed(.milliseconds(300))))
    /// ```
    ///
    /// Retries are not delayed.
    public static func mock(_ responses: MockResponses, options: ClientOptions = .init()) -> VitalwireClient {
        do {
            return try VitalwireClient(options, mockResponses: responses)
        } catch {
            preconditionFailure("invalid client options: \(error)")
        }
    }
}
