#if os(macOS) || os(Linux)
    import Foundation

    /// The process of a sandbox: the program `vitalwire sandbox`.
    final class SandboxProgram: @unchecked Sendable {
        /// Maximum time for the process to exit after its standard input is closed.
        private let grace: Duration
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        /// First line of the output.
        private let firstLine: Task<Data?, Never>
        private let exit: Task<Void, Never>

        /// Starts the program.
        init(_ program: URL?, seed: Int, grace: Duration = .seconds(10)) throws {
            self.grace = grace
            process.executableURL = try Self.findProgram(program)
            process.arguments = ["sandbox", "--ready-json", "--seed", "\(seed)"]
            (process.standardInput, process.standardOutput) = (input, output)
            let handles = ProcessHandles(process: process, output: output.fileHandleForReading)
            // A child process that inherits the input would keep it open.
            _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
            do { try process.run() } catch { throw Self.notFound }
            // Read on separate threads, because threads of the concurrency pool must not block.
            firstLine = Task.detached {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { Self.read(handles.output) { continuation.resume(returning: $0) } }
                }
            }
            exit = Task.detached {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        handles.process.waitUntilExit()
                        continuation.resume()
                    }
                }
            }
        }

        deinit { try? input.fileHandleForWriting.close() }

        /// Returns the first line of the output, which contains URLs and tokens; `nil` if the program exits or the time is over.
        ///
        /// Without a line, the process has exited when this returns.
        ///
        /// - Throws: `CancellationError`, after the process has exited.
        func line(within limit: Duration) async throws -> Data? {
            let killer = Task.detached {
                try await Task.sleep(for: limit)
                self.kill()
            }
            let line = await withTaskCancellationHandler {
                await firstLine.value
            } onCancel: {
                kill()
            }
            killer.cancel()
            if line == nil { await end() }
            if Task.isCancelled {
                await end()
                throw CancellationError()
            }
            return line
        }

        /// Returns the error for a program that wrote no first line.
        func silence(_ limit: Duration) async -> Sandbox.NotStarted {
            await exit.value
            let early = process.terminationReason == .exit
            let reason = early ? "but ended with status \(process.terminationStatus)" : "within \(limit)"
            return Sandbox.NotStarted(description: "`vitalwire sandbox` printed no ready line \(reason)")
        }

        /// Stops the program and returns after it has exited. Also works in a cancelled task.
        func end() async {
            // The program exits at the end of its input.
            try? input.fileHandleForWriting.close()
            let killer = Task.detached {
                try await Task.sleep(for: self.grace)
                self.kill()
            }
            await exit.value
            killer.cancel()
        }

        private func kill() {
            // The program inherits the signal mask of the concurrency pool, which blocks all other signals.
            if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
        }

        private static var notFound: Sandbox.NotStarted {
            let remedy = "put the program on the PATH or set VITALWIRE_PROGRAM to its path"
            return Sandbox.NotStarted(description: "`vitalwire sandbox` cannot be started; \(remedy)")
        }

        /// Returns the URL of the program, from the argument, `VITALWIRE_PROGRAM` or the `PATH`.
        private static func findProgram(_ program: URL?) throws -> URL {
            let environment = ProcessInfo.processInfo.environment
            let name = program?.path ?? environment["VITALWIRE_PROGRAM"] ?? "vitalwire"
            let folders = (environment["PATH"] ?? "").split(separator: ":")
            let places = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
            guard let place = places.first(where: FileManager.default.isExecutableFile) else { throw notFound }
            return URL(fileURLWithPath: place)
        }

        /// Passes the first line of a file to a closure. Then reads to the end, so that the writer never blocks on a full pipe.
        private static func read(_ file: FileHandle, first: (Data?) -> Void) {
            var line = Data()
            while let byte = try? file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
            first(line.isEmpty ? nil : line)
            while let more = try? file.read(upToCount: 4096), !more.isEmpty {}
        }
    }

    /// The process and its output, for use on other threads. Foundation declares both types as `Sendable` only on Linux.
    private struct ProcessHandles: @unchecked Sendable {
        let process: Process
        let output: FileHandle
    }
#endif
