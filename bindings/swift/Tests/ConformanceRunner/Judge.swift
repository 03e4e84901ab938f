import Foundation

#if canImport(Glibc)
    import Glibc
    private let stream = Int32(SOCK_STREAM.rawValue)
#else
    import Darwin
    private let stream = SOCK_STREAM
#endif

/// A client of the judge. It uses plain sockets with one HTTP request per connection, so that no proxy of the machine applies.
struct Judge: Sendable {
    struct Unreachable: Error {}

    private let host: String
    private let port: UInt16
    private let folder: String
    private let run: String

    /// Creates a client from the environment: `VITALWIRE_JUDGE`, whose host is numeric, and `VITALWIRE_RUN`.
    init() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["VITALWIRE_JUDGE"].flatMap({ URLComponents(string: $0) }), let host = url.host,
            let port = url.port.flatMap({ UInt16(exactly: $0) }), let run = environment["VITALWIRE_RUN"]
        else { throw Unreachable() }
        (self.host, self.port, self.folder, self.run) = (host, port, url.path, run)
    }

    /// Returns the cases of this run.
    func plan() async throws -> [JSON] {
        try JSONParser.parse(try await sendRequest("GET", "plan/\(run)/json", [])).items ?? []
    }

    /// Posts the outcome of a case.
    func outcome(_ id: String, _ report: Report) async throws {
        _ = try await sendRequest("POST", "outcome/\(run)/\(id)", report.posted.written)
    }

    /// Posts the captured log lines.
    func logged(_ lines: [String]) async throws {
        _ = try await sendRequest("POST", "texts/\(run)", JSON.list(lines.map { .text($0) }).written)
    }

    /// Sends a request and returns the body of the response. Blocks a separate thread, because the concurrency pool has few threads.
    private func sendRequest(_ method: String, _ path: String, _ body: [UInt8]) async throws -> [UInt8] {
        let head = "\(method) \(folder)/\(path) HTTP/1.1\r\nhost: judge\r\nconnection: close\r\ncontent-length: \(body.count)\r\n\r\n"
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try transfer(Array(head.utf8) + body) }) }
        }
    }

    private func transfer(_ request: [UInt8]) throws -> [UInt8] {
        let connection = socket(AF_INET, stream, 0)
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw Unreachable() }
        let reached = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard reached == 0 else { throw Unreachable() }
        var sent = 0
        while sent < request.count {
            let count = request.withUnsafeBytes { write(connection, $0.baseAddress! + sent, request.count - sent) }
            guard count > 0 else { throw Unreachable() }
            sent += count
        }
        shutdown(connection, Int32(SHUT_WR))
        return try body(of: readResponse(connection))
    }

    /// Reads until the judge closes the connection.
    private func readResponse(_ connection: Int32) throws -> [UInt8] {
        var response: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(connection, &part, part.count)
            guard count >= 0 else { throw Unreachable() }
            if count == 0 { return response }
            response += part[..<count]
        }
    }

    private func body(of response: [UInt8]) throws -> [UInt8] {
        let end = Array("\r\n\r\n".utf8)
        guard response.starts(with: "HTTP/1.1 2".utf8),
            let at = response.indices.first(where: { response[$0...].starts(with: end) })
        else { throw Unreachable() }
        return Array(response[(at + end.count)...])
    }
}
