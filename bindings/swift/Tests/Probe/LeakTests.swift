#if os(Linux)
    import Foundation
    import Vitalwire
    import VitalwireTesting
    import XCTest

    import func VitalwireFFI.probeForeignHandles

    /// Checks that released clients and cancelled calls leak nothing. `cargo xtask test` builds the library that counts handles.
    final class LeakTests: XCTestCase {
        func testClientsAndCancelledCallsLeaveNothingBehind() async throws {
            func round(_ clients: Int, _ calls: Int) async throws {
                for _ in 0..<clients {
                    let client = try VitalwireClient(
                        .init(), tokenProvider: { _ in "t" }, mockResponses: .samples, onAttempt: { _ in })
                    _ = try await client.user.info()
                }
                let responses = MockResponses.delayed(.seconds(60))
                let slow = try VitalwireClient(.init(), tokenProvider: { _ in "t" }, mockResponses: responses, onAttempt: { _ in })
                for _ in 0..<calls / 50 {
                    let begun = responses.requests.count
                    let tasks = (0..<50).map { _ in Task { try await slow.user.info() } }
                    // Wait until every call is in flight, then cancel it.
                    while responses.requests.count < begun + tasks.count { try await Task.sleep(for: .milliseconds(1)) }
                    tasks.forEach { $0.cancel() }
                    for task in tasks {
                        let result = await task.result
                        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\(type(of: $0))") }
                    }
                }
            }
            // Measure after a first round, because pools and the allocator grow only once.
            try await round(250, 2_500)
            let before = try await readUntil { $0 == 0 }
            try await round(1_000, 10_000)
            let after = try await readUntil { $0 <= before.handles }
            XCTAssertLessThanOrEqual(after.handles, before.handles)
            XCTAssertLessThanOrEqual(after.descriptors, before.descriptors + 4)
            XCTAssertLessThanOrEqual(after.threads, before.threads + 4)
            XCTAssertLessThan(after.kilobytes, before.kilobytes + 16 * 1024)
        }

        /// Waits up to ten seconds for the expected number of handles, because library threads release clients. Returns the process state.
        private func readUntil(_ isWanted: (Int) -> Bool) async throws -> Process {
            let started = ContinuousClock.now
            while !isWanted(probeForeignHandles()), ContinuousClock.now - started < .seconds(10) {
                try await Task.sleep(for: .milliseconds(20))
            }
            return try Process.now()
        }

        func testAClientOnTheNetworkLeavesNothingBehind() async throws {
            let hole = try BlackHole()
            let url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(hole.port)"))
            func round() async throws -> [WeakReference] {
                var markers: [WeakReference] = []
                for _ in 0..<25 {
                    let (marker, tokens) = (Marker(), ValueRecorder<RefreshReason>())
                    markers.append(WeakReference(marker))
                    let client = try VitalwireClient(
                        .init(baseURL: url, network: .init(proxy: .disabled)),
                        tokenProvider: { reason in withExtendedLifetime(marker) { tokens.add(reason) }; return "t" },
                        onAttempt: { _ in withExtendedLifetime(marker) {} })
                    // Wait until every call is in flight, then cancel it.
                    let call = Task { try await client.user.info() }
                    let first = try XCTUnwrap(hole.connection())
                    let wait = Task { try await client.nutritionRecords.waitFor("n-1").record() }
                    let second = try XCTUnwrap(hole.connection())
                    call.cancel()
                    wait.cancel()
                    let results = (await call.result, await wait.result)
                    XCTAssertThrowsError(try results.0.get())
                    XCTAssertThrowsError(try results.1.get())
                    XCTAssertTrue(hole.hasEnded(first) && hole.hasEnded(second))
                    XCTAssertEqual(tokens.all, [.missing])
                }
                return markers
            }
            _ = try await round()
            let before = try Process.now()
            let markers = try await round()
            // Wait, because library threads release the closures of a client.
            let started = ContinuousClock.now
            while markers.contains(where: { $0.marker != nil }), ContinuousClock.now - started < .seconds(10) {
                try await Task.sleep(for: .milliseconds(20))
            }
            XCTAssertEqual(markers.filter { $0.marker != nil }.count, 0)
            let after = try Process.now()
            XCTAssertLessThanOrEqual(after.descriptors, before.descriptors + 4)
            XCTAssertLessThanOrEqual(after.threads, before.threads + 4)
            XCTAssertLessThan(after.kilobytes, before.kilobytes + 8 * 1024)
        }

        /// An object that the closures of a client capture. Its release shows that the closures were released.
        private final class Marker: Sendable {}

        private struct WeakReference {
            weak var marker: Marker?

            init(_ marker: Marker) { self.marker = marker }
        }

        /// Resources of this process: file descriptors, threads, memory and handles.
        private struct Process {
            let (descriptors, threads, kilobytes): (Int, Int, Int)
            /// Handles in the library: pending calls, token requests, providers, listeners and observers.
            let handles = probeForeignHandles()

            static func now() throws -> Process {
                let count = { (folder: String) in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count }
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
                let resident = status.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: { !$0.isNumber }).first
                return Process((try count("fd"), try count("task"), Int(resident ?? "") ?? 0))
            }

            private init(_ counted: (Int, Int, Int)) { (descriptors, threads, kilobytes) = counted }
        }
    }
#endif
