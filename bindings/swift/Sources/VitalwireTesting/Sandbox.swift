#if os(macOS) || os(Linux)
    import Foundation
    import Vitalwire

    /// A sandbox of the service on this machine, in a process of its own: the program `vitalwire sandbox`. All its data is synthetic.
    ///
    /// ```swift
    /// try await Sandbox.run { sandbox in
    ///     let client = try VitalwireClient(sandbox.options)
    ///     let night = try await client.sleeps.get(sandbox.sleepID, include: [.stages])
    ///     XCTAssertNotNil(night.stages)
    /// }
    /// ```
    public struct Sandbox: Sendable {
        /// Base URLs and tokens of the sandbox's first person.
        public let options: ClientOptions
        /// The id of that person's last sleep.
        public let sleepID: String

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
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let named = ProcessInfo.processInfo.environment["VITALWIRE_PROGRAM"]
            process.arguments = [program?.path ?? named ?? "vitalwire", "sandbox", "--ready-json", "--seed", "\(seed)"]
            (process.standardInput, process.standardOutput) = (input, output)
            do { try process.run() } catch { throw NotStarted(description: "`vitalwire sandbox` cannot be started") }
            // The sandbox ends when its input does.
            defer {
                try? input.fileHandleForWriting.close()
                process.waitUntilExit()
            }
            let late = Task {
                try await Task.sleep(for: limit)
                // Threads of tasks block other signals, and the program inherits that.
                kill(process.processIdentifier, SIGKILL)
            }
            defer { late.cancel() }
            guard let ready = await line(of: output.fileHandleForReading).flatMap({ try? JSONDecoder().decode(Ready.self, from: $0) }) else {
                throw NotStarted(description: "`vitalwire sandbox` did not say where it is in time; is the program on the PATH?")
            }
            late.cancel()
            let options = ClientOptions(
                baseURL: ready.base_url, token: ready.token, careBaseURL: ready.care_base_url, careToken: ready.care_token, noProxy: true)
            return try await work(Sandbox(options: options, sleepID: ready.sleep_id))
        }

        /// The first line, read on a thread that may wait.
        private static func line(of file: FileHandle) async -> Data? {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    var line = Data()
                    while let byte = try? file.read(upToCount: 1), let first = byte.first, first != UInt8(ascii: "\n") { line.append(first) }
                    continuation.resume(returning: line.isEmpty ? nil : line)
                }
            }
        }
    }

    extension Sandbox: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// Shows no URL, token and id.
        public var description: String { "Sandbox(..)" }

        /// Shows no URL, token and id.
        public var debugDescription: String { description }

        /// Shows nothing to `dump` either.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
