#if compiler(>=6.1) && canImport(Testing) && (os(macOS) || os(Linux))
    import Foundation
    import Testing

    /// A trait of Swift Testing: each test has a sandbox of its own, ``Sandbox/current``, which is ended when the test is, whatever becomes
    /// of it.
    ///
    /// ```swift
    /// @Test(.sandbox) func lastNight() async throws {
    ///     let sandbox = try Sandbox.current
    ///     let night = try await sandbox.client().sleeps.get(sandbox.sleepID, include: [.stages])
    ///     #expect(night.stages?.isEmpty == false)
    /// }
    /// ```
    ///
    /// On a suite it marks all tests in it. What a test changes, no other sees; each case of a test with arguments has its own, too.
    public struct SandboxTrait: TestTrait, SuiteTrait, TestScoping {
        fileprivate let settings: Settings

        /// Whether it marks the tests of a suite, rather than the suite: always.
        public var isRecursive: Bool { true }

        /// Starts a sandbox, runs a case of a test, and ends the sandbox.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            try await settings.run(function)
        }
    }

    /// A trait of Swift Testing: all tests of a suite, those of suites in it too, use one sandbox, ``Sandbox/current``.
    ///
    /// It is for tests that only read: Swift Testing runs tests side by side, and each sees what another changed. Those of a suite that is
    /// `.serialized`, too, see what earlier ones changed.
    public struct SharedSandboxTrait: SuiteTrait, TestScoping {
        fileprivate let settings: Settings

        /// Starts a sandbox, runs the tests of a suite, and ends the sandbox.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            try await settings.run(function)
        }
    }

    extension Trait where Self == SandboxTrait {
        /// A sandbox for each test.
        public static var sandbox: Self { .sandbox() }

        /// A sandbox for each test.
        ///
        /// - Parameters:
        ///   - program: The program `vitalwire`; without it, the one that the variable `VITALWIRE_PROGRAM` or `PATH` names.
        ///   - seed: The number that all of its data follows from.
        ///   - limit: How long the program may take until it says where it is; then it is ended, and the test fails.
        public static func sandbox(program: URL? = nil, seed: Int = 7, within limit: Duration = .seconds(60)) -> Self {
            Self(settings: Settings(program: program, seed: seed, limit: limit))
        }
    }

    extension Trait where Self == SharedSandboxTrait {
        /// One sandbox for all tests of a suite.
        public static var sharedSandbox: Self { .sharedSandbox() }

        /// One sandbox for all tests of a suite.
        ///
        /// - Parameters:
        ///   - program: The program `vitalwire`; without it, the one that the variable `VITALWIRE_PROGRAM` or `PATH` names.
        ///   - seed: The number that all of its data follows from.
        ///   - limit: How long the program may take until it says where it is; then it is ended, and the suite fails.
        public static func sharedSandbox(program: URL? = nil, seed: Int = 7, within limit: Duration = .seconds(60)) -> Self {
            Self(settings: Settings(program: program, seed: seed, limit: limit))
        }
    }

    /// How a sandbox is started.
    private struct Settings {
        let program: URL?
        let seed: Int
        let limit: Duration

        func run(_ work: @Sendable () async throws -> Void) async throws {
            try await Sandbox.run(program: program, seed: seed, within: limit) { _ in try await work() }
        }
    }
#endif
