import Foundation
internal import VitalwireFFI

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An upload that is ready for a transport of the application, such as a background `URLSession`.
///
/// ```swift
/// let upload = try await client.labReports.prepareUpload(.file(document), to: file)
/// let task = session.uploadTask(with: upload.urlRequest, fromFile: upload.file)
/// task.taskDescription = upload.receipt
/// task.resume()
/// ```
///
/// The headers contain the access token, and the file contains the document or picture. Pass both only to the session, which stores the
/// request itself. Do not log the headers or store them elsewhere, and remove the file when the response was read.
///
/// The client's network settings do not apply to the session: proxy, trusted certificates, pinned keys, timeouts and retries.
public struct PreparedUpload: Hashable, Sendable {
    /// HTTP method.
    public let method: String
    /// URL.
    public let url: URL
    /// All headers, with the access token. The session adds `Content-Length` and `Accept-Encoding`.
    public let headers: [String: String]
    /// File with the request body. Only the application can read it.
    public let file: URL
    /// Receipt to pass to `readUploadResponse`. It can be stored; it contains no token, URL or health data.
    public let receipt: String
    /// Instant at which the access token expires; `nil` if its provider did not state it. A later request is rejected with status 401.
    public let tokenExpiresAt: Date?

    /// The request without its body, for `URLSession.uploadTask(with:fromFile:)`.
    public var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    init(_ native: VitalwireFFI.PreparedUpload, file: URL) throws {
        guard let url = URL(string: native.url) else { throw VitalwireError(.internal, "the URL of a prepared upload is invalid") }
        (method, self.url, self.file, receipt) = (native.method, url, file, native.receipt)
        headers = Dictionary(native.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        tokenExpiresAt = native.tokenExpiresAt.map { Timestamp($0).date }
    }

    /// Returns the path of a file to write.
    static func path(of file: URL) throws -> String {
        guard file.isFileURL else { throw VitalwireError(.invalidArgument, "the file of a prepared upload must be a file URL") }
        return file.path
    }
}

extension PreparedUpload: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without URL, headers and path.
    public var description: String { "PreparedUpload(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ReceivedResponse {
    /// Creates a response from the results of a task; `nil` if the task failed.
    init?(body: Data?, response: URLResponse?, error: (any Error)?) {
        guard error == nil, let response = response as? HTTPURLResponse else { return nil }
        let headers = response.allHeaderFields.compactMap { name, value -> NameAndValue? in
            guard let name = name as? String else { return nil }
            return NameAndValue(name: name, value: "\(value)")
        }
        self.init(status: UInt16(clamping: response.statusCode), headers: headers, body: body ?? Data())
    }
}
