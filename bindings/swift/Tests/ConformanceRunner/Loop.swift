/// How many cases are played at once, and how many of those that have a deadline: a machine with too much to do misses them.
let atOnce = 16
let timedAtOnce = 8
/// Settings of a client or a call with which time counts.
let times = ["deadline_scale", "total_ms", "attempt_ms", "connect_ms", "cancel_after_ms", "close_after_ms", "timeout_ms"]
/// How long one case may take, in seconds; without an outcome it fails.
let limit: UInt64 = 60

/// Whether time counts in a case.
func isTimed(_ planned: JSON) -> Bool {
    let call = planned["call"]?.members.first?.value
    let names = (planned["client"]?.members ?? []) + (call?.members ?? []) + (call?["options"]?.members ?? [])
    return names.contains { times.contains($0.name) }
}

/// Plays a case; one that does not end in time is left behind.
func limited(_ planned: JSON) async -> Report {
    await withCheckedContinuation { continuation in
        let once = Once(continuation)
        let work = Task { once.resume(await play(planned)) }
        Task {
            try? await Task.sleep(nanoseconds: limit * 1_000_000_000)
            work.cancel()
            once.resume(Report(outcome: .members(["raised": .text("no end within \(limit) s")])))
        }
    }
}

/// Plays and posts cases, so many at once.
func turn(_ cases: [JSON], atOnce: Int, _ judge: Judge) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, planned) in cases.enumerated() {
            if index >= atOnce { try await group.next() }
            group.addTask { try await judge.outcome(planned["id"]?.text ?? "", await limited(planned)) }
        }
        try await group.waitForAll()
    }
}
