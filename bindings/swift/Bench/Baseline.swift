#if VITALWIRE_PROBE
    import VitalwireFFI

    /// What the package is measured against, below it. Types of this module have the names of the package's own.
    enum Baseline {
        /// The core reads a sleep record.
        static func decode(_ json: String) -> Way {
            { try probeDecodeSeconds(json: json, times: $0) }
        }

        /// The generated bindings read a sleep record; the package's own is not made of it.
        static func crossing(_ json: String) throws -> Way {
            let answers = MockResponses()
            answers.add(operation: "get_sleep", response: MockResponse(json: json))
            let client = try NativeClient(options: ClientOptions(), mockResponses: answers)
            return timed {
                _ = try await client.sleepsGet(params: SleepsGetParams(sleepId: "1"), options: CallOptions(), cancel: nil)
            }
        }

        /// The Rust client makes a small call.
        static func call(_ url: String, _ token: String) throws -> Way {
            let client = try ProbeClient(baseUrl: url, token: token)
            return { try await client.seconds(times: $0) }
        }
    }
#endif
