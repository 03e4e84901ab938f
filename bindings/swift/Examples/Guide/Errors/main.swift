// Makes five calls that fail in different ways, and decides what to do about each.

import Foundation
import Vitalwire

/// Returns advice for a failed call.
func advice(_ error: VitalwireError) -> String {
    if error.mayHaveTakenEffect { return "look for the record before you send it again" }
    switch error.kind {
    case .notFound: return "there is no such record"
    case .authentication:
        // If the token closure failed, its error distinguishes an outage of your server from a rejected sign-in.
        let refused = error.underlying.map { ($0 as? URLError)?.code == .userAuthenticationRequired } ?? true
        return refused ? "sign in again" : "try again later"
    case .configuration: return "correct the settings of the client"
    case _ where error.isTransient:
        // The client has retried if that was safe. Without Retry-After, wait a minute.
        return "try again in \((error.retryAfter ?? .seconds(60)).components.seconds) s"
    default:
        let rejected = error.problem?.errors?.compactMap(\.location) ?? []
        return "correct the request: \(rejected.joined(separator: ", "))"
    }
}

/// Makes the sandbox play a failure. Other services ignore the header.
func play(_ fault: String) -> CallOptions { CallOptions(headers: ["x-sandbox-fault": fault]) }

let environment = ProcessInfo.processInfo.environment
guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { fatalError("set VITALWIRE_BASE_URL") }
let client = try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"]))
guard let first = CalendarDate("2025-11-14"), let last = CalendarDate("2025-11-20") else { fatalError("no such day") }
let report = DocumentUpload.data(Data("Glucose 92 mg/dL".utf8), named: "report.txt")
let offline = try VitalwireClient(ClientOptions(baseURL: url), tokenProvider: { _ in throw URLError(.notConnectedToInternet) })
let calls: [@MainActor () async throws -> Void] = [
    { _ = try await client.sleeps.get("00000000-0000-4000-8000-000000000000") },
    { _ = try await client.statistics.daily(fromDate: first, toDate: last, types: ["sleepiness"]) },
    { _ = try await client.user.info(options: play("status; status=503; retry_after=120")) },
    { _ = try await client.labReports.upload(report, options: play("reset_after")) },
    { _ = try await offline.user.info() },
]
for call in calls {
    do {
        try await call()
    } catch let error as VitalwireError {
        print(error.code, "\(error.kind):", advice(error))
    }
}
