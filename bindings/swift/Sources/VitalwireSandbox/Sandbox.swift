#if os(macOS) || os(Linux)
    import Foundation
    import Vitalwire

    /// A local sandbox of the service, for tests.
    ///
    /// The sandbox is the program `vitalwire sandbox` in a separate process. All data is synthetic.
    ///
    /// ```swift
    /// try await Sandbox.run { sandbox in
    ///     let night = try await sandbox.client().sleeps.get(sandbox.sleepID, include: [.stages])
    ///     XCTAssertNotNil(night.stages)
    /// }
    /// ```
    ///
    /// With Swift 6.1 or later, a test that is marked `@Test(.sandbox)` finds its sandbox in ``current``.
    public struct Sandbox: Sendable {
        /// Base URLs of the sandbox and tokens of the first user.
        public let options: ClientOptions
        /// Id of the last sleep of the first user.
        public let sleepID: String

        private let program: SandboxProgram

        @TaskLocal private static var active: Sandbox?

        /// The error of a sandbox that could not be started or is not running.
        public struct NotStarted: Error, CustomStringConvertible {
            /// Reason and remedy.
            public let description: String
        }

        private struct Ready: Decodable {
            let base_url: URL
            let care_base_url: URL
            let token: String
            let care_token: String
            let sleep_id: String
        }

        /// The sandbox of the current test or of ``run(program:seed:within:_:)``. Not available in detached tasks.
        ///
        /// - Throws: ``NotStarted`` if there is no current sandbox.
        public static var current: Sandbox {
            get throws {
                if let active { return active }
                throw NotStarted(description: "no sandbox is running; mark the test or its suite with .sandbox, or use Sandbox.run")
            }
        }

        /// Creates a client for the first user of the sandbox.
        ///
        /// - Parameter change: A closure that changes the settings of the client. Defaults to no change.
        /// - Throws: `VitalwireError` of kind `configuration` if a setting is invalid.
        public func client(_ change: (inout ClientOptions) -> Void = { _ in }) throws -> VitalwireClient {
            var options = options
            change(&options)
            return try VitalwireClient(options)
        }

        /// Starts a sandbox, runs a closure and stops the sandbox, even if the closure throws.
        ///
        /// - Parameters:
        ///   - program: The program `vitalwire`. Defaults to the value of `VITALWIRE_PROGRAM`, then to `vitalwire` on the `PATH`.
        ///   - seed: The seed of the synthetic data. Defaults to 7.
        ///   - limit: The maximum time for the program to start; then it is killed. Defaults to 60 seconds.
        ///   - work: The closure to run.
        /// - Throws: ``NotStarted``, `CancellationError` or the error of `work`.
        public static func run<Value>(
            program: URL? = nil, seed: Int = 7, within limit: Duration = .seconds(60), _ work: (Sandbox) async throws -> Value
        ) async throws -> Value {
            let sandbox = try await start(program: program, seed: seed, within: limit)
            do {
                let value = try await $active.withValue(sandbox) { try await work(sandbox) }
                await sandbox.end()
                return value
            } catch {
                await sandbox.end()
                throw error
            }
        }

        /// Starts a sandbox, for example in the `setUp` of an `XCTestCase`.
        ///
        /// The sandbox runs until you call ``end()`` or release the last copy.
        ///
        /// - Parameters:
        ///   - program: The program `vitalwire`. Defaults to the value of `VITALWIRE_PROGRAM`, then to `vitalwire` on the `PATH`.
        ///   - seed: The seed of the synthetic data. Defaults to 7.
        ///   - limit: The maximum time for the program to start; then it is killed. Defaults to 60 seconds.
        /// - Throws: ``NotStarted`` or `CancellationError`.
        public static func start(program: URL? = nil, seed: Int = 7, within limit: Duration = .seconds(60)) async throws -> Sandbox {
            try Task.checkCancellation()
            let program = try SandboxProgram(program, seed: seed)
            guard let line = try await program.line(within: limit) else { throw await program.silence(limit) }
            guard let ready = try? JSONDecoder().decode(Ready.self, from: line) else {
                await program.end()
                throw NotStarted(description: "`vitalwire sandbox` printed an invalid ready line")
            }
            let options = ClientOptions(
                baseURL: ready.base_url, token: ready.token, care: .init(baseURL: ready.care_base_url, token: ready.care_token),
                network: .init(proxy: .disabled))
            return Sandbox(options: options, sleepID: ready.sleep_id, program: program)
        }

        /// Stops the sandbox and returns after its process has exited. Further calls have no effect.
        public func end() async { await program.end() }
    }

    extension Sandbox: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The type name, without URLs, tokens and ids.
        public var description: String { "Sandbox(..)" }

        /// Same as `description`.
        public var debugDescription: String { description }

        /// An empty mirror, so that `dump` shows no values.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
