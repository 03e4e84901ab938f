#if compiler(>=6.1) && canImport(Testing) && (os(macOS) || os(Linux))
    import Foundation
    import Testing

    /// A trait of Swift Testing that gives each test its own sandbox, ``Sandbox/current``. The sandbox stops when the test ends.
    ///
    /// ```swift
    /// @Test(.sandbox) func lastNight() async throws {
    ///     let sandbox = try Sandbox.current
    ///     let night = try await sandbox.client().sleeps.get(sandbox.sleepID, include: [.stages])
    ///     #expect(night.stages?.isEmpty == false)
    /// }
    /// ```
    ///
    /// On a suite, the trait applies to all of its tests. A test does not see the changes of other tests. Each case of a parameterized
    /// test has its own sandbox.
    public struct SandboxTrait: TestTrait, SuiteTrait, TestScoping {
        fileprivate let settings: Settings

        /// Whether the trait applies to the tests of a suite instead of the suite itself. Always true.
        public var isRecursive: Bool { true }

        /// Starts a sandbox, runs a test case and stops the sandbox.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            try await settings.run(function)
        }
    }

    /// A trait of Swift Testing that shares one sandbox, ``Sandbox/current``, among all tests of a suite and its nested suites.
    ///
    /// Use this trait for tests that only read. Swift Testing runs tests in parallel, and each test sees the changes of the others. In a
    /// `.serialized` suite, tests see the changes of earlier tests.
    public struct SharedSandboxTrait: SuiteTrait, TestScoping {
        fileprivate let settings: Settings

        /// Starts a sandbox, runs the tests of a suite and stops the sandbox.
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
        ///   - program: The program `vitalwire`. Defaults to the value of `VITALWIRE_PROGRAM`, then to `vitalwire` on the `PATH`.
        ///   - seed: The seed of the synthetic data. Defaults to 7.
        ///   - limit: The maximum time for the program to start; then the test fails. Defaults to 60 seconds.
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
        ///   - program: The program `vitalwire`. Defaults to the value of `VITALWIRE_PROGRAM`, then to `vitalwire` on the `PATH`.
        ///   - seed: The seed of the synthetic data. Defaults to 7.
        ///   - limit: The maximum time for the program to start; then the suite fails. Defaults to 60 seconds.
        public static func sharedSandbox(program: URL? = nil, seed: Int = 7, within limit: Duration = .seconds(60)) -> Self {
            Self(settings: Settings(program: program, seed: seed, limit: limit))
        }
    }

    /// Arguments for starting a sandbox.
    private struct Settings {
        let program: URL?
        let seed: Int
        let limit: Duration

        func run(_ work: @Sendable () async throws -> Void) async throws {
            try await Sandbox.run(program: program, seed: seed, within: limit) { _ in try await work() }
        }
    }
#endif
