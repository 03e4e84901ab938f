#if canImport(FoundationNetworking)
    // URLSession on Linux.
    import FoundationNetworking
#endif
// --8<-- [start:program]
import Foundation
import Vitalwire

/// Uploads lab reports with a `URLSession`. The session calls its delegate on one queue, so `bodies` needs no lock.
final class ReportUploads: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// A result of an upload.
    enum Outcome: Sendable {
        /// The service has the report with this id.
        case uploaded(String)
        /// The service may have the report. Look for it with `labReports.list(from: since)` before you upload it again.
        case unknown(since: Date)
        /// The token expired before the last attempt. The service may have the report from an earlier attempt of the system. Look for it
        /// with `labReports.list(from: since)` before you upload it again.
        case tokenExpired(since: Date)
        /// The service has not stored the report.
        case failed(any Error)
    }

    /// An upload. The session stores it as the description of its task, so it survives the end of the app.
    struct Upload: Codable {
        let id: String
        let receipt: String
        let since: Date
        let tokenExpiresAt: Date?
    }

    private let client: VitalwireClient
    private let folder: URL
    private let ended: @Sendable (String, Outcome) -> Void
    private var session: URLSession!
    private var bodies: [Int: Data] = [:]

    /// - Parameters:
    ///   - folder: A folder for the bodies of requests.
    ///   - ended: Called with the id and the outcome of each upload, including those of earlier starts of the app.
    init(
        client: VitalwireClient, folder: URL, configuration: URLSessionConfiguration,
        ended: @escaping @Sendable (String, Outcome) -> Void
    ) {
        (self.client, self.folder, self.ended) = (client, folder, ended)
        super.init()
        session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    /// Passes a report to the session. Throws an error if an upload with the same id has not ended.
    func start(_ report: DocumentUpload, id: String, options: CallOptions = .init()) async throws {
        // The clocks of the device and of the service may differ.
        let since = Date(timeIntervalSinceNow: -300)
        let prepared = try await client.labReports.prepareUpload(report, to: file(of: id), options: options)
        let upload = Upload(id: id, receipt: prepared.receipt, since: since, tokenExpiresAt: prepared.tokenExpiresAt)
        let task = session.uploadTask(with: prepared.urlRequest, fromFile: prepared.file)
        task.taskDescription = String(decoding: try JSONEncoder().encode(upload), as: UTF8.self)
        task.resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bodies[dataTask.taskIdentifier, default: Data()].append(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let body = bodies.removeValue(forKey: task.taskIdentifier)
        guard let upload = try? JSONDecoder().decode(Upload.self, from: Data((task.taskDescription ?? "").utf8)) else { return }
        let outcome = self.outcome(of: upload, body: body, response: task.response, error: error)
        // `ended` may start the same id again, which needs a new file.
        try? FileManager.default.removeItem(at: file(of: upload.id))
        ended(upload.id, outcome)
    }

    func outcome(of upload: Upload, body: Data?, response: URLResponse?, error: (any Error)?) -> Outcome {
        do {
            let read = try client.labReports.readUploadResponse(upload.receipt, body: body, response: response, error: error)
            return .uploaded(read.labReport.id)
        } catch let error as VitalwireError where error.mayHaveTakenEffect {
            return .unknown(since: upload.since)
        } catch let error as VitalwireError where error.kind == .authentication {
            return upload.tokenExpiresAt.map { $0 < Date() } == true ? .tokenExpired(since: upload.since) : .failed(error)
        } catch {
            return .failed(error)
        }
    }

    private func file(of id: String) -> URL { folder.appendingPathComponent(id) }
}
// --8<-- [end:program]
