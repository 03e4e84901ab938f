import Foundation
import Vitalwire
import XCTest

@testable import VitalwireSandbox

/// Tests sandboxes without Swift Testing.
final class SandboxTests: XCTestCase {
    func testTheSandboxRunsDuringTheWork() async throws {
        let url = try await Sandbox.run { sandbox in
            let night = try await Sandbox.current.client().sleeps.get(sandbox.sleepID, include: [.stages])
            XCTAssertNotNil(night.stages)
            XCTAssertEqual(try Sandbox.current.options, sandbox.options)
            return sandbox.options.health?.baseURL
        }
        try await assertGone(url)
    }

    func testTheSandboxEndsWhenTheWorkThrows() async throws {
        struct Expected: Error {}
        let seen = ValueRecorder<URL>()
        do {
            try await Sandbox.run { sandbox in
                seen.add(try XCTUnwrap(sandbox.options.health?.baseURL))
                throw Expected()
            }
        } catch { XCTAssertTrue(error is Expected, "\(type(of: error))") }
        try await assertGone(seen.all.first)
    }

    func testTheSandboxEndsWhenTheTaskIsCancelled() async throws {
        let seen = ValueRecorder<URL>()
        let task = Task {
            try await Sandbox.run { sandbox in
                seen.add(try XCTUnwrap(sandbox.options.health?.baseURL))
                try await Task.sleep(for: .seconds(60))
            }
        }
        while seen.all.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
        let ended = await task.result
        XCTAssertThrowsError(try ended.get()) { XCTAssertTrue($0 is CancellationError, "\(type(of: $0))") }
        try await assertGone(seen.all.first)
    }

    func testAStartedSandboxRunsUntilItIsEnded() async throws {
        let sandbox = try await Sandbox.start()
        let client = try sandbox.client { $0.retry.maxRetries = 0 }
        _ = try await client.user.info()
        XCTAssertThrowsError(try Sandbox.current) { error in
            XCTAssertEqual("\(error)", "no sandbox is running; mark the test or its suite with .sandbox, or use Sandbox.run")
        }
        await sandbox.end()
        await sandbox.end()
        try await assertGone(sandbox.options.health?.baseURL)
    }

    func testAnUnreferencedSandboxEnds() async throws {
        let url = try await Sandbox.start().options.health?.baseURL
        for _ in 0..<200 where await isResponding(url) { try await Task.sleep(for: .milliseconds(50)) }
        try await assertGone(url)
    }

    /// Checks that the seed determines ids and records, and that sandboxes do not share changes.
    func testEachSandboxHasItsOwnState() async throws {
        try await Sandbox.run { first in
            try await Sandbox.run { second in
                let (own, other) = (try first.client().nutritionRecords, try second.client().nutritionRecords)
                let records = try await own.list()
                let id = try XCTUnwrap(records.first?.id)
                try await own.delete(id)
                let (left, untouched) = (try await own.list(), try await other.list())
                XCTAssertEqual(left.map(\.id), records.map(\.id).filter { $0 != id })
                XCTAssertEqual(untouched, records)
            }
        }
        try await Sandbox.run(seed: 8) { other in XCTAssertNotNil(other.options.health?.token) }
    }

    func testManySandboxesStartAndEndConcurrently() async throws {
        let urls = try await withThrowingTaskGroup(of: URL?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await Sandbox.run { _ = try await $0.client().user.info(); return $0.options.health?.baseURL } }
            }
            return try await group.reduce(into: Set<URL?>()) { $0.insert($1) }
        }
        XCTAssertEqual(urls.count, 20)
        for url in urls { try await assertGone(url) }
    }

    func testAMissingProgramIsAnErrorWithTheRemedy() async {
        for path in ["/nonexistent/vitalwire", NSTemporaryDirectory()] {
            await assertNotStarted(
                URL(fileURLWithPath: path),
                "`vitalwire sandbox` cannot be started; put the program on the PATH or set VITALWIRE_PROGRAM to its path")
        }
    }

    func testAProgramThatEndsEarlyIsAnErrorWithItsStatus() async throws {
        try await assertNotStarted(script("exit 3"), "`vitalwire sandbox` printed no ready line but ended with status 3")
    }

    func testAProgramWithUnexpectedOutputIsAnError() async throws {
        let pid = temporary()
        let program = try script("echo $$ > \(pid.path); echo hello; exec cat > /dev/null")
        await assertNotStarted(program, "`vitalwire sandbox` printed an invalid ready line")
        try assertEnded(pid)
    }

    func testASilentProgramIsEnded() async throws {
        let (pid, started) = (temporary(), ContinuousClock.now)
        let program = try script("echo $$ > \(pid.path); exec sleep 60")
        await assertNotStarted(program, "`vitalwire sandbox` printed no ready line within 0.2 seconds", within: .milliseconds(200))
        XCTAssertLessThan(ContinuousClock.now - started, .seconds(20))
        try assertEnded(pid)
    }

    func testAStartThatIsCancelledEndsTheProgram() async throws {
        let pid = temporary()
        let program = try script("echo $$ > \(pid.path); exec sleep 60")
        let task = Task { try await Sandbox.start(program: program) }
        while (try? String(contentsOf: pid, encoding: .utf8))?.hasSuffix("\n") != true { try await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
        let started = await task.result
        XCTAssertThrowsError(try started.get()) { XCTAssertTrue($0 is CancellationError, "\(type(of: $0))") }
        try assertEnded(pid)
    }

    func testAProgramThatDoesNotEndWithItsInputIsEnded() async throws {
        let pid = temporary()
        let program = try SandboxProgram(script("echo $$ > \(pid.path); echo ready; exec sleep 60"), seed: 7, grace: .milliseconds(200))
        let line = try await program.line(within: .seconds(20))
        XCTAssertEqual(line, Data("ready".utf8))
        await program.end()
        try assertEnded(pid)
    }

    func testTheDescriptionOfASandboxHasNoValues() async throws {
        try await Sandbox.run { sandbox in
            var text = "\(sandbox) \(String(reflecting: sandbox)) \([sandbox])"
            dump(sandbox, to: &text)
            let (health, care) = (sandbox.options.health, sandbox.options.care)
            let hidden = [sandbox.sleepID, health?.token, care?.token, health?.baseURL.absoluteString]
            for value in hidden { XCTAssertFalse(text.contains(try XCTUnwrap(value))) }
        }
    }

    /// Applications import `Vitalwire`, and previews import `VitalwireTesting`. Neither module may depend on Swift Testing.
    func testOnlyTheSandboxModuleImportsTesting() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = package.appendingPathComponent("Sources")
        let importing = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            guard path.hasSuffix(".swift") else { return false }
            let lines = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8).split(separator: "\n")
            return lines.contains { $0.hasSuffix("import Testing") || $0.hasSuffix("import XCTest") }
        }
        XCTAssertEqual(importing, ["VitalwireSandbox/SandboxTrait.swift"])
    }

    // MARK: Assertions

    private func isResponding(_ url: URL?) async -> Bool {
        guard let url else { return false }
        do {
            let options = ClientOptions(baseURL: url, token: "t", retry: .init(maxRetries: 0), network: .init(proxy: .disabled))
            _ = try await VitalwireClient(options).user.info()
            return true
        } catch { return (error as? VitalwireError)?.kind != .transport }
    }

    private func assertGone(_ url: URL?, line: UInt = #line) async throws {
        let lives = await isResponding(try XCTUnwrap(url, line: line))
        XCTAssertFalse(lives, "the sandbox lives on", line: line)
    }

    /// Checks that a process has exited. The test's script wrote the process id to the file `pid`.
    private func assertEnded(_ pid: URL, line: UInt = #line) throws {
        let number = try XCTUnwrap(Int32(String(contentsOf: pid, encoding: .utf8).trimmingCharacters(in: .newlines)), line: line)
        XCTAssertEqual(kill(number, 0), -1, "the program lives on", line: line)
    }

    private func assertNotStarted(_ program: URL, _ text: String, within limit: Duration = .seconds(60), line: UInt = #line) async {
        do {
            try await Sandbox.run(program: program, within: limit) { _ in XCTFail("there is no sandbox", line: line) }
            XCTFail("nothing was thrown", line: line)
        } catch {
            XCTAssertTrue(error is Sandbox.NotStarted, "\(type(of: error))", line: line)
            XCTAssertEqual("\(error)", text, line: line)
        }
    }

    private func temporary() -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("vitalwire-\(UUID())")
        addTeardownBlock { try? FileManager.default.removeItem(at: file) }
        return file
    }

    private func script(_ lines: String) throws -> URL {
        let program = temporary()
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        return program
    }
}
