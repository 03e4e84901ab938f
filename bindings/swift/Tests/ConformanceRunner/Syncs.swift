import Foundation
import Vitalwire

/// Position of the version in a state.
private let versionIndex = 6

/// States of the last part, before and after its changes.
private typealias States = (before: Data, last: Data)

/// Plays syncs, each from the state of an earlier one. `client` returns the client with a path after the base URL.
func playSyncs(_ syncs: [JSON], _ client: (String?) throws -> VitalwireClient) async throws -> Report {
    var outcomes: [JSON] = []
    var texts: [String] = []
    var states: States?
    for given in syncs {
        var parts: [JSON] = []
        var failure: (name: String, outcome: JSON)?
        do {
            let call = try startSync(try client(given["base_path"]?.text), given, states)
            texts += descriptions(call)
            if given["record_events"]?.truth == true {
                let state = try await call.recordEvents()
                states = (state, state)
            } else {
                let columns = (given["columns"]?.items ?? []).compactMap(\.text)
                for try await part in call.prefix(given["max_parts"]?.whole.map { Int($0) } ?? .max) {
                    states = (part.stateBefore, part.state)
                    texts += descriptions(part) + part.changes.flatMap(descriptions)
                    parts.append(describe(part, columns))
                }
            }
        } catch let error as StateError {
            texts += descriptions(error) + [error.localizedDescription]
            failure = ("state_error", .text(name(of: error.reason)))
        } catch {
            let report = describeFailure(error)
            texts += report.texts
            failure = ("error", report.outcome)
        }
        outcomes.append(
            .members([
                "parts": .list(parts), "error": failure?.name == "error" ? failure?.outcome : nil,
                "state_error": failure?.name == "state_error" ? failure?.outcome : nil,
            ]))
    }
    return Report(outcome: .members(["sync": .list(outcomes)]), texts: texts)
}

private func startSync(_ client: VitalwireClient, _ given: JSON, _ states: States?) throws -> SyncCall {
    client.sync(
        try kinds(given["kinds"]),
        secret: Data((given["secret"]?.text ?? "").utf8),
        user: given["user"]?.text ?? "",
        state: try state(given["state"]?.text, states),
        from: try given["first"].map { try CalendarDate(given: $0) },
        lookBack: given["look_back"]?.whole.map { Int($0) },
        events: try (given["events"]?.items ?? []).map(event),
        checkAccount: given["check_account"]?.truth ?? true,
        expectAccount: given["expect_account"]?.text,
        options: try options(given["options"] ?? .null))
}

/// Creates an event of days or of a webhook.
private func event(_ given: JSON) throws -> SyncEvent {
    if let days = given["days"] {
        let bounds = try CalendarDate(given: days["first"] ?? .null)...CalendarDate(given: days["last"] ?? .null)
        return SyncEvent(try kinds(days["kinds"]), days: bounds)
    }
    guard let webhook = given["webhook"] else { throw Unplayable(what: "no such event") }
    return SyncEvent(
        [.daily, .hourly, .sleeps, .sleepStages],
        earliest: try Timestamp(given: webhook["earliest_record_start_at"] ?? .null).date,
        latest: try Timestamp(given: webhook["latest_record_end_at"] ?? .null).date,
        applicationUserID: webhook["application_user_id"]?.text)
}

private func kinds(_ names: JSON?) throws -> Set<RecordKind> {
    Set(
        try (names?.items ?? []).map { name in
            guard let kind = RecordKind(rawValue: name.text ?? "") else { throw Unplayable(what: "no such kind") }
            return kind
        })
}

/// Returns the state from which a sync starts.
private func state(_ source: String?, _ states: States?) throws -> Data? {
    var changed = [UInt8](states?.last ?? Data())
    switch source {
    case "last": return states?.last
    case "none": return nil
    case "before": return states?.before
    case "damaged": changed[changed.count - 1] ^= 1
    case "newer_version": changed[versionIndex] += 1
    default: throw Unplayable(what: "no such state")
    }
    return Data(changed)
}

private func name(of reason: StateError.Reason) -> String {
    switch reason {
    case .damaged: "damaged"
    case .unsupportedVersion: "unsupported_version"
    case .otherKey: "other_key"
    case .otherService: "other_service"
    case .otherUser: "other_user"
    }
}

private func describe(_ part: SyncPart, _ columns: [String]) -> JSON {
    let reading = Reading()
    return .members([
        "days": [part.days.lowerBound, part.days.upperBound].canonical(reading),
        "kinds": part.kinds.map(\.rawValue).canonical(reading),
        "progress": [part.progress.doneDays, part.progress.totalDays].canonical(reading),
        "left_out": part.leftOut.canonical(reading),
        "changes": .list(part.changes.map { describe($0, columns) }),
    ])
}

private func describe(_ change: Change, _ columns: [String]) -> JSON {
    let rows = change.jsonRows.map { row in
        let parsed = (try? JSONParser.parse(Array(row.utf8))) ?? .null
        return JSON.object(parsed.members.filter { columns.contains($0.name) })
    }
    return .members([
        "type": .text(change.type.rawValue), "kind": .text(change.kind.rawValue), "id": change.id.map { .text($0) },
        "day": change.day?.canonical(Reading()), "before": change.before.map { .text($0) }, "after": change.after.map { .text($0) },
        "rows": columns.isEmpty ? nil : .list(rows),
    ])
}
