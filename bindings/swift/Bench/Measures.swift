#if VITALWIRE_PROBE
    import Foundation
    import Vitalwire

    // These functions are not in `main.swift`, whose code runs on the main actor: every awaited call would cost two more thread changes.

    func measureRecords(file: String, _ budget: Budget) async throws {
        let json = try String(contentsOfFile: file, encoding: .utf8)
        let mockResponses = MockResponses()
        mockResponses.add(MockResponse(json: json), to: "get_sleep")
        let mockClient = try VitalwireClient(ClientOptions(), mockResponses: mockResponses)
        let decode = try await compare(
            budget,
            timed { _ = try await mockClient.sleeps.get("1", include: [.stages, .samples]) },
            Baseline.decode(json),
            try Baseline.toNative(json))
        let sleep = "a sleep, 60 stages, 80,000 values"
        try Line(
            measure: "\(sleep), into Swift, by the core's reading", ours: formatSeconds(decode.minimum(0)),
            baseline: formatSeconds(decode.minimum(1)),
            figure: decode.ratio(0, 1)
        ).atMost(2).print()
        try Line(
            measure: "\(sleep), share of the package's own records", ours: formatSeconds(decode.minimum(0)),
            baseline: formatSeconds(decode.minimum(2)),
            figure: 1 - decode.ratio(2, 0)
        ).atMost(0.15).print()
    }

    func measureCalls(server url: String, _ budget: Budget) async throws {
        let token = "bench-token"
        let client = try VitalwireClient(ClientOptions(baseURL: URL(string: url), token: token))
        let calls = try await compare(budget, timed { _ = try await client.user.info() }, try Baseline.call(url, token))
        try Line(
            measure: "a warm small call, by the Rust client's", ours: calls.formatTimes(0), baseline: calls.formatTimes(1),
            figure: calls.ratio(0, 1)
        ).atMost(1.5).print()
    }
#endif
