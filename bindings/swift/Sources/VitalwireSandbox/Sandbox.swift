#if os(macOS) || os(Linux)
    import Foundation
    import Vitalwire

    /// A sandbox of the service on this machine, in a process of its own: the program `vitalwire sandbox`. All its data is synthetic.
    ///
    /// ```swift
    /// try await Sandbox.run { sandbox in
    ///     let night = try await sandbox.client().sleeps.get(sandbox.sleepID, include: [.stages])
    ///     XCTAssertNotNil(night.stages)
    /// }
    /// ```
    ///
    /// With Swift 6.1 or later, a test of Swift Testing that is marked `@Test(.sandbox)` has one in ``current``.
    public struct Sandbox: Sendable {
        /// Base URLs and tokens of the sandbox's first person.
        public let options: ClientOptions
        /// The id of that person's last sleep.
        public let sleepID: String

        private let program: SandboxProgram

        @TaskLocal private static var here: Sandbox?

        /// Why there is no sandbox.
        public struct NotStarted: Error, CustomStringConvertible {
            /// The reason, in a sentence.
            public let description: String
        }

        private struct Ready: Decodable {
            let base_url: URL
            let care_base_url: URL
            let token: String
            let care_token: String
            let sleep_id: String
        }

        /// The sandbox of the test that asks, or of the work that ``run(program:seed:within:_:)`` does. A detached task has none.
        ///
        /// - Throws: ``NotStarted``, where there is none.
        public static var current: Sandbox {
            get throws {
                if let here { return here }
                throw NotStarted(description: "no sandbox is here; mark the test or its suite by .sandbox, or use Sandbox.run")
            }
        }

        /// A client of the sandbox's first person.
        ///
        /// - Parameter change: Further settings.
        /// - Throws: `VitalwireError` of kind `configuration`, for settings that no client can have.
        public func client(_ change: (inout ClientOptions) -> Void = { _ in }) throws -> VitalwireClient {
            var options = options
            change(&options)
            return try VitalwireClient(options)
        }

        /// Starts a sandbox, does the work, and ends the sandbox, whatever becomes of the work.
        ///
        /// - Parameters:
        ///   - program: The program `vitalwire`; without it, the one that the variable `VITALWIRE_PROGRAM` or `PATH` names.
        ///   - seed: The number that all of its data follows from.
        ///   - limit: How long the program may take until it says where it is; then it is ended.
        ///   - work: What is done with it.
        /// - Throws: ``NotStarted``, or what `work` throws.
        public static func run<Value>(
            program: URL? = nil, seed: Int = 7, within limit: Duration = .seconds(60), _ work: (Sandbox) async throws -> Value
        ) async throws -> Value {
            let sandbox = try await start(program: program, seed: seed, within: limit)
            do {
                let value = try await $here.withValue(sandbox) { try await work(sandbox) }
                await sandbox.end()
                return value
            } catch {
                await sandbox.end()
                throw error
            }
        }

        /// Starts a sandbox, as in the `setUp` of an `XCTestCase`. It runs until ``end()``, or until no copy of it is left.
        ///
        /// - Parameters:
        ///   - program: The program `vitalwire`; without it, the one that the variable `VITALWIRE_PROGRAM` or `PATH` names.
        ///   - seed: The number that all of its data follows from.
        ///   - limit: How long the program may take until it says where it is; then it is ended.
        /// - Throws: ``NotStarted``, or `CancellationError`.
        public static func start(program: URL? = nil, seed: Int = 7, within limit: Duration = .seconds(60)) async throws -> Sandbox {
            try Task.checkCancellation()
            let program = try SandboxProgram(program, seed: seed)
            guard let line = try await program.line(within: limit) else { throw await program.silence(limit) }
            guard let ready = try? JSONDecoder().decode(Ready.self, from: line) else {
                await program.end()
                throw NotStarted(description: "`vitalwire sandbox` did not say where it is, but something else")
            }
            let options = ClientOptions(
                baseURL: ready.base_url, token: ready.token, careBaseURL: ready.care_base_url, careToken: ready.care_token, noProxy: true)
            return Sandbox(options: options, sleepID: ready.sleep_id, program: program)
        }

        /// Ends the sandbox, and returns when its process is gone. To end it once more does nothing.
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
