/// Maximum numbers of concurrent cases: `timedAtOnce` for cases that depend on time, because a busy machine misses timeouts.
let atOnce = 16
let timedAtOnce = 8
/// Names of settings and call options that depend on time.
let times = ["timeout_scale", "total_ms", "attempt_ms", "connect_ms", "cancel_after_ms", "close_after_ms", "timeout_ms"]
/// Maximum duration of a case, in seconds.
let limit: UInt64 = 60

/// Returns whether a case depends on time.
func isTimed(_ planned: JSON) -> Bool {
    let call = planned["call"]?.members.first?.value
    let names = (planned["client"]?.members ?? []) + (call?.members ?? []) + (call?["options"]?.members ?? [])
    return names.contains { times.contains($0.name) }
}

/// Plays a case. Cancels the case and reports a failure after `limit` seconds.
func playWithinLimit(_ planned: JSON) async -> Report {
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

/// Plays cases concurrently and posts their reports.
func playAll(_ cases: [JSON], atOnce: Int, _ judge: Judge) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, planned) in cases.enumerated() {
            if index >= atOnce { try await group.next() }
            group.addTask { try await judge.outcome(planned["id"]?.text ?? "", await playWithinLimit(planned)) }
        }
        try await group.waitForAll()
    }
}
