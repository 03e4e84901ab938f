import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A TCP server that accepts connections and never responds.
final class BlackHole: Sendable {
    struct Failed: Error {}

    let port: UInt16
    private let socket: Int32

    init() throws {
        #if canImport(Glibc)
            let opened = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let opened = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(opened, raw, length) == 0 && listen(opened, 8) == 0 && getsockname(opened, raw, &length) == 0
            }
        }
        socket = opened
        port = UInt16(bigEndian: address.sin_port)
        guard listening else { throw Failed() }
    }

    /// Whether a client has opened a connection.
    var isAsked: Bool { readable(socket, within: 0) }

    /// Accepts the first connection and returns whether the client closes it within 15 seconds. Discards all received data.
    func firstConnectionEnds() -> Bool { connection().map(hasEnded) ?? false }

    /// Accepts the next connection; returns `nil` if there is none within 15 seconds.
    func connection() -> Int32? {
        guard readable(socket) else { return nil }
        let connection = accept(socket, nil, nil)
        return connection >= 0 ? connection : nil
    }

    /// Returns whether the client closes a connection within 15 seconds. Discards all received data.
    func hasEnded(_ connection: Int32) -> Bool {
        defer { close(connection) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while readable(connection) {
            let count = recv(connection, &buffer, 4096, 0)
            if count <= 0 { return count == 0 }
        }
        return false
    }

    private func readable(_ descriptor: Int32, within milliseconds: Int32 = 15_000) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, milliseconds) == 1
    }

    deinit { close(socket) }
}
