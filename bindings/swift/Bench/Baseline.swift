#if VITALWIRE_PROBE
    import VitalwireFFI

    /// Baselines for measurements of the package. The types of `VitalwireFFI` have the same names as public types.
    enum Baseline {
        /// Returns an alternative that decodes a sleep record in the core.
        static func decode(_ json: String) -> Alternative {
            { try probeDecodeSeconds(json: json, times: $0) }
        }

        /// Returns an alternative that decodes a sleep record in the generated bindings, without converting it to the package's record.
        static func toNative(_ json: String) throws -> Alternative {
            let mockResponses = MockResponses()
            mockResponses.add(operation: "get_sleep", response: MockResponse(json: json))
            let client = try NativeClient(options: ClientOptions(), mockResponses: mockResponses)
            return timed {
                _ = try await client.sleepsGet(params: SleepsGetParams(sleepId: "1"), options: CallOptions(), cancel: nil)
            }
        }

        /// Returns an alternative that makes a small call with the Rust client.
        static func call(_ url: String, _ token: String) throws -> Alternative {
            let client = try ProbeClient(baseUrl: url, token: token)
            return { try await client.seconds(times: $0) }
        }
    }
#endif
