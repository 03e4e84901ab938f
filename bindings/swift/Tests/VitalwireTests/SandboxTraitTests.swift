import Foundation
import Testing
import Vitalwire
import VitalwireSandbox

/// Tests `Sandbox.run` in Swift Testing without the trait, which needs a newer version.
struct SwiftTestingTests {
    @Test func theSandboxRunsDuringATest() async throws {
        try await Sandbox.run { sandbox in
            let night = try await sandbox.client().sleeps.get(sandbox.sleepID, include: [.stages])
            #expect(night.stages?.isEmpty == false)
        }
    }
}

#if compiler(>=6.1)
    /// Tests the sandbox traits: each test or suite has its own sandbox, and the sandbox stops when the test or suite ends.
    struct SandboxTraitTests {
        struct Expected: Error {}

        @Test(Watched(), .sandbox) func aTestHasASandbox() async throws {
            let sandbox = try Watched.recordCurrent()
            let night = try await sandbox.client().sleeps.get(sandbox.sleepID, include: [.stages])
            #expect(night.stages?.isEmpty == false)
        }

        @Test(Watched(throwing: Expected.self), .sandbox) func aSandboxEndsWhenTheTestThrows() throws {
            _ = try Watched.recordCurrent()
            throw Expected()
        }

        @Test(Watched(throwing: CancellationError.self), .sandbox) func aSandboxEndsWhenTheTestIsCancelled() async throws {
            _ = try Watched.recordCurrent()
            withUnsafeCurrentTask { $0?.cancel() }
            try await Task.sleep(for: .seconds(60))
        }

        @Test(Watched(), .sandbox, arguments: 1...3) func eachCaseHasItsOwnSandbox(_: Int) async throws {
            try await deleteTheFirst(of: Watched.recordCurrent())
        }

        @Test func aTestWithoutTheTraitHasNoSandbox() {
            #expect(throws: Sandbox.NotStarted.self) { try Sandbox.current }
        }

        @Test(.sandbox(seed: 8)) func theSeedIsPassedToTheSandbox() async throws {
            let (own, other) = (try Sandbox.current, try await Sandbox.start(seed: 7))
            #expect(own.sleepID != other.sleepID)
            await other.end()
        }

        @Suite(.serialized, Watched(), .sandbox) struct ASuite {
            @Test func oneTestHasItsOwnSandbox() async throws { try await deleteTheFirst(of: Watched.recordCurrent()) }

            @Test func anotherTestHasItsOwnSandbox() async throws { try await deleteTheFirst(of: Watched.recordCurrent()) }

            @Suite struct Within {
                @Test func aNestedTestHasItsOwnSandbox() async throws { try await deleteTheFirst(of: Watched.recordCurrent()) }
            }
        }

        @Suite(WatchedSuite(tests: 3), .sharedSandbox) struct ASuiteThatShares {
            @Test func oneTestReadsFromTheSandbox() async throws { _ = try await Watched.recordCurrent().client().user.info() }

            @Test func anotherTestReadsFromTheSandbox() async throws { _ = try await Watched.recordCurrent().client().user.info() }

            @Suite struct Within {
                @Test func aNestedTestReadsFromTheSandbox() async throws { _ = try await Watched.recordCurrent().client().user.info() }
            }
        }
    }

    /// Records the ids of deleted records. Every sandbox starts with the same records, so the first record is always the same.
    private let deleted = ValueRecorder<String>()

    private func deleteTheFirst(of sandbox: Sandbox) async throws {
        let records = try sandbox.client().nutritionRecords
        let id = try #require(try await records.list().first?.id)
        try await records.delete(id)
        deleted.add(id)
        #expect(Set(deleted.all).count == 1, "another test deleted the first")
    }

    /// A trait that wraps the trait under test. After each test case, checks that the sandboxes that the case recorded have stopped.
    private struct Watched: TestTrait, SuiteTrait, TestScoping {
        var throwing: (any Error.Type)?
        var isRecursive: Bool { true }

        @TaskLocal static var noted = ValueRecorder<Sandbox>()

        static func recordCurrent() throws -> Sandbox {
            let sandbox = try Sandbox.current
            noted.add(sandbox)
            return sandbox
        }

        func provideScope(for _: Test, testCase _: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
            try await Self.checkSharing(tests: 1) {
                do {
                    try await function()
                    #expect(throwing == nil)
                } catch { #expect(type(of: error) == throwing) }
            }
        }

        static func checkSharing(tests: Int, _ function: @Sendable () async throws -> Void) async throws {
            let seen = ValueRecorder<Sandbox>()
            try await $noted.withValue(seen) { try await function() }
            #expect(seen.all.count == tests)
            #expect(Set(seen.all.map(\.options)).count == 1)
            for sandbox in seen.all {
                // Use a new task, because the task of the test may be cancelled.
                let kind = await Task {
                    do {
                        _ = try await sandbox.client { $0.retry.maxRetries = 0 }.user.info()
                        return nil as ErrorKind?
                    } catch { return (error as? VitalwireError)?.kind }
                }.value
                #expect(kind == .transport, "the sandbox lives on")
            }
        }
    }

    /// A trait like `Watched` that wraps a whole suite. Checks that all tests of the suite shared one sandbox.
    private struct WatchedSuite: SuiteTrait, TestScoping {
        let tests: Int

        func provideScope(for _: Test, testCase _: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
            try await Watched.checkSharing(tests: tests, function)
        }
    }
#endif
