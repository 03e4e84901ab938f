import Vitalwire

extension Answers {
    /// Adds the next answer of a call.
    public func add(_ answer: Answer, to call: Call) { add(answer, to: call.operation) }

    /// Forgets the answers of a call, so that others can take their place.
    public func clear(_ call: Call) { clear(call.operation) }

    /// The same answers with others for one call: its first attempt gets the first, the last one stays.
    public func answering(_ call: Call, _ answers: Answer...) -> Answers {
        clear(call)
        answers.forEach { add($0, to: call) }
        return self
    }

    /// Every call fails.
    public static func failing(_ failure: Failure) -> Answers {
        all { _ in failure.answer }
    }

    /// A synthetic answer to every call, each after a time, such as for a preview of what is shown meanwhile.
    public static func delayed(_ delay: Duration) -> Answers {
        all { Answer(json: $0.json, status: $0.status, delay: delay) }
    }

    private static func all(_ answer: (Sample) -> Answer) -> Answers {
        let answers = Answers()
        for (call, sample) in Sample.all { answers.add(answer(sample), to: call) }
        return answers
    }
}

extension VitalwireClient {
    /// A client that answers from memory, for tests and previews. Everything else of its calls is real.
    ///
    /// ```swift
    /// NightView(client: .answering(.samples))
    /// NightView(client: .answering(.failing(.rateLimited)))
    /// NightView(client: .answering(.delayed(.milliseconds(300))))
    /// ```
    ///
    /// Waits before a further attempt are left out, unless `options` says otherwise.
    public static func answering(_ answers: Answers, options: ClientOptions = .init(retryDelayScale: 0)) -> VitalwireClient {
        do {
            return try VitalwireClient(options, answers: answers)
        } catch {
            preconditionFailure("the options of a client for tests are refused: \(error)")
        }
    }
}
