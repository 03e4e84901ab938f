#if os(macOS) || os(Linux)
    import Foundation

    /// The process of a sandbox.
    final class SandboxProgram: @unchecked Sendable {
        /// How long it may take to end after its input did.
        private let grace: Duration
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        /// Its first line.
        private let said: Task<Data?, Never>
        private let ended: Task<Void, Never>

        /// Starts the program `vitalwire`.
        init(_ program: URL?, seed: Int, grace: Duration = .seconds(10)) throws {
            self.grace = grace
            process.executableURL = try Self.place(of: program)
            process.arguments = ["sandbox", "--ready-json", "--seed", "\(seed)"]
            (process.standardInput, process.standardOutput) = (input, output)
            let shared = Shared(process: process, output: output.fileHandleForReading)
            // Another process that had it, too, would keep the input from ending.
            _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
            do { try process.run() } catch { throw Self.missing }
            // Threads of their own: those of tasks may not wait.
            said = Task.detached {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { Self.read(shared.output) { continuation.resume(returning: $0) } }
                }
            }
            ended = Task.detached {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        shared.process.waitUntilExit()
                        continuation.resume()
                    }
                }
            }
        }

        deinit { try? input.fileHandleForWriting.close() }

        /// Its first line, which says where it is; none where it does not say so in time, and then its process is gone.
        ///
        /// - Throws: `CancellationError`, when its process is gone.
        func line(within limit: Duration) async throws -> Data? {
            let late = Task.detached {
                try await Task.sleep(for: limit)
                self.kill()
            }
            let line = await withTaskCancellationHandler {
                await said.value
            } onCancel: {
                kill()
            }
            late.cancel()
            if line == nil { await end() }
            if Task.isCancelled {
                await end()
                throw CancellationError()
            }
            return line
        }

        /// Why it did not say where it is.
        func silence(_ limit: Duration) async -> Sandbox.NotStarted {
            await ended.value
            let early = process.terminationReason == .exit
            let reason = early ? "but ended with status \(process.terminationStatus)" : "within \(limit)"
            return Sandbox.NotStarted(description: "`vitalwire sandbox` did not say where it is \(reason)")
        }

        /// Ends it, and returns when it is gone, in a task that is cancelled, too.
        func end() async {
            // It ends when its input does.
            try? input.fileHandleForWriting.close()
            let late = Task.detached {
                try await Task.sleep(for: self.grace)
                self.kill()
            }
            await ended.value
            late.cancel()
        }

        private func kill() {
            // Threads of tasks block other signals, and the program inherits that.
            if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
        }

        private static var missing: Sandbox.NotStarted {
            let remedy = "have the program on the PATH, or name it by VITALWIRE_PROGRAM"
            return Sandbox.NotStarted(description: "`vitalwire sandbox` cannot be started; \(remedy)")
        }

        /// Where the program is.
        private static func place(of program: URL?) throws -> URL {
            let environment = ProcessInfo.processInfo.environment
            let name = program?.path ?? environment["VITALWIRE_PROGRAM"] ?? "vitalwire"
            let folders = (environment["PATH"] ?? "").split(separator: ":")
            let places = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
            guard let place = places.first(where: FileManager.default.isExecutableFile) else { throw missing }
            return URL(fileURLWithPath: place)
        }

        /// Reads a file to its end, so that nobody who writes it waits, and passes on its first line.
        private static func read(_ file: FileHandle, first: (Data?) -> Void) {
            var line = Data()
            while let byte = try? file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
            first(line.isEmpty ? nil : line)
            while let more = try? file.read(upToCount: 4096), !more.isEmpty {}
        }
    }

    /// What other threads use. Foundation says on Linux alone that they may.
    private struct Shared: @unchecked Sendable {
        let process: Process
        let output: FileHandle
    }
#endif
