import Foundation
import Vitalwire

/// A function that calls one operation.
typealias Call = @Sendable (VitalwireClient, Arguments) async throws -> Outcome

struct Outcome {
    fileprivate let outcome: JSON
    fileprivate let texts: [String]

    init<Value: Canonical & Sendable>(_ response: Response<Value>) {
        let reading = Reading()
        self.init(response, response.value.canonical(reading), reading)
    }

    /// Creates the outcome of a range. The number of attempts is not reported.
    init<Value: Canonical & Sendable>(merged: MergedRange<Value>) { self.init(merged: merged) { $0.canonical($1) } }

    /// Creates the outcome of a range from the canonical form of its response.
    init<Value: Sendable>(merged: MergedRange<Value>, _ form: (Value, Reading) throws -> JSON) rethrows {
        let reading = Reading()
        let value = try form(merged.response, reading)
        let failed = merged.failures.map { JSON.list([.number(String($0.index)), .text(name(of: $0.error.kind))]) }
        outcome = .members([
            "value": value, "attempts": .number("0"), "basis": reading.basis.map { .text($0) },
            "failed_parts": failed.isEmpty ? nil : .list(failed), "skipped_items": skipped(merged.skippedItems),
        ])
        texts = reading.texts + descriptions(merged) + descriptions(merged.parts)
            + descriptions(merged.failures) + merged.skippedItems.flatMap(descriptions)
    }

    init(_ response: Response<Void>) {
        self.init(response, .null, Reading())
    }

    /// Creates the outcome of a case that sends no request.
    init<Value: Canonical>(_ value: Value, shown: Any? = nil, skippedItems: [SkippedItem]? = nil) {
        let reading = Reading()
        outcome = .members([
            "value": value.canonical(reading), "basis": reading.basis.map { .text($0) }, "skipped_items": skippedItems.map(skipped),
        ])
        texts = reading.texts + (shown.map(descriptions) ?? []) + (skippedItems ?? []).flatMap(descriptions)
    }

    private init<Value>(_ response: Response<Value>, _ value: JSON, _ reading: Reading) {
        let attempts = JSON.number(String(response.attempts))
        let requestId = response.requestID.map { JSON.text($0) }
        outcome = .members([
            "value": value, "attempts": attempts, "request_id": requestId, "basis": reading.basis.map { .text($0) },
            "skipped_items": skipped(response.skippedItems), "body": response.body.map(hex),
        ])
        texts = reading.texts + descriptions(response) + response.skippedItems.flatMap(descriptions)
    }
}

/// Converts skipped list items to the format of reports.
private func skipped(_ items: [SkippedItem]) -> JSON {
    .list(items.map { .members(["json_path": .text($0.jsonPath), "reason": .text($0.reason), "json": .text($0.json)]) })
}

func descriptions<T>(_ value: T) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
}

/// Writes a body in hexadecimal.
private func hex(_ body: Data) -> JSON { .text(body.map { String(format: "%02x", $0) }.joined()) }

/// The report of a case, for the judge.
struct Report: Sendable {
    var outcome: JSON
    var texts: [String] = []
    /// Attempts reported to the client's closure; `nil` if the case has none.
    var reportedAttempts: [JSON]?

    var posted: JSON {
        let texts = JSON.list(self.texts.map { .text($0) })
        return .members(["outcome": outcome, "texts": texts, "reported_attempts": reportedAttempts.map { .list($0) }])
    }
}

/// Converts the Swift name of an argument to the name in cases. `id` is the only parameter of the path.
private func coreName(_ argument: String, _ path: String?) -> String {
    switch argument {
    case "id": return path?.split { "{}".contains($0) }.last.map(String.init) ?? argument
    case "from", "to": return "\(argument)_timestamp"
    default: break
    }
    // Settings are in groups, whose names the cases do not have.
    let others = [
        "timeouts.call": "timeout", "timeouts.scale": "timeoutScale", "retry.maxRetries": "maxRetries",
        "retry.retryAfterCap": "retryAfterCap",
    ]
    var flat = others[argument] ?? argument
    for (group, first, last) in [
        ("health.", "", ""), ("network.", "", ""), ("care.", "care_", ""), ("timeouts.", "", "Timeout"), ("retry.", "retry_", ""),
    ] where flat.hasPrefix(group) {
        flat = first + flat.dropFirst(group.count) + last
    }
    var (name, wasUpper) = ("", true)
    for character in flat {
        name += character.isUppercase && !wasUpper ? "_\(character.lowercased())" : character.lowercased()
        wasUpper = character.isUppercase
    }
    return name
}

func describeFailure(_ error: any Error) -> Report {
    let texts = descriptions(error) + [error.localizedDescription]
    switch error {
    case let error as VitalwireError:
        let (problem, last) = (error.problem.map { $0.canonical(Reading()) }, error.lastRecord.map { $0.canonical(Reading()) })
        let members: JSON = .members([
            "error": .text(name(of: error.kind)), "code": .number(String(error.code)), "attempts": .number(String(error.attempts)),
            "status": error.status.map { .number(String($0)) }, "problem": problem,
            "retry_after_ms": error.retryAfter.map { Milliseconds($0).canonical(Reading()) },
            "request_id": error.requestID.map { .text($0) },
            "is_transient": .truth(error.isTransient), "path_template": error.pathTemplate.map { .text($0) },
            "may_have_taken_effect": error.mayHaveTakenEffect ? .truth(true) : nil, "record_id": error.recordID.map { .text($0) },
            "argument": error.argument.map { .text(coreName($0, error.pathTemplate)) }, "json_path": error.jsonPath.map { .text($0) },
            "body": error.body.map(hex),
            "last": last,
        ])
        return Report(outcome: members, texts: texts + (error.problem.map(descriptions) ?? []) + (error.lastRecord.map(descriptions) ?? []))
    case is CancellationError:
        // In Swift, a cancelled call throws `CancellationError` instead of an error of kind `cancelled`.
        return Report(outcome: .members(["error": .text("cancelled"), "code": .number("1601"), "attempts": .number("0")]), texts: texts)
    case let error as Unsupported: return Report(outcome: .members(["unsupported": .text(error.what)]))
    case let error as Unplayable: return Report(outcome: .members(["unplayable": .text(error.what)]))
    default: return Report(outcome: .members(["raised": .text("\(type(of: error))")]), texts: texts)
    }
}

/// Makes one call and reports its outcome.
private func playOnce(_ call: () async throws -> Outcome) async -> Report {
    do {
        let answer = try await call()
        return Report(outcome: answer.outcome, texts: answer.texts)
    } catch {
        return describeFailure(error)
    }
}

/// Makes the same call concurrently, as often as the case demands. Equal outcomes are reported once.
private func playConcurrently(_ count: Int, _ one: @escaping @Sendable () async -> Report) async -> Report {
    if count == 1 { return await one() }
    return await withTaskGroup(of: Report.self) { group in
        for _ in 0..<count { group.addTask(operation: one) }
        var outcomes: [JSON] = []
        var texts: [String] = []
        for await report in group {
            outcomes.append(report.outcome)
            texts += report.texts
        }
        if outcomes.contains(where: { $0 != outcomes[0] }) {
            // Calls with a common retry budget may differ in their number of attempts.
            outcomes = outcomes.map { .object($0.members.filter { $0.name != "attempts" }) }
        }
        let same = outcomes.allSatisfy { $0 == outcomes[0] }
        return Report(outcome: same ? outcomes[0] : .members(["several": .list(outcomes)]), texts: texts)
    }
}

func play(_ planned: JSON) async -> Report {
    guard let kind = planned["call"]?.members.first else { return describeFailure(Unplayable(what: "no call")) }
    let settings = planned["client"] ?? .null
    switch kind.name {
    case "operation": return await withClient(settings) { try await playOperation(kind.value, $0, calls) }
    case "in_row": return await withClient(settings) { try await playInSequence(kind.value.items ?? [], $0) }
    case "wait": return await withClient(settings) { try await playOperation(kind.value, $0, waits, wait: try waitOptions(kind.value)) }
    case "split": return await withClient(settings) { try await playOperation(kind.value, $0, splits) }
    case "nights": return await withClient(settings) { client in await playOnce { try await nights(kind.value, client) } }
    case "sync":
        return await withClient(settings) { client in
            try await playSyncs(kind.value.items ?? []) { path in try path.map { try clientBelow(settings, $0) } ?? client }
        }
    case "redirect": return await playOnce { try redirect(kind.value) }
    case "webhook": return await playOnce { try webhook(kind.value) }
    default: return describeFailure(Unsupported(what: kind.name))
    }
}

/// Creates the client of a case and plays calls with it.
private func withClient(_ settings: JSON, _ work: (VitalwireClient) async throws -> Report) async -> Report {
    let recorder = settings["on_attempt"] == nil ? nil : AttemptRecorder()
    let report: Report
    do {
        let made = try client(settings, onAttempt: recorder.map { recorder in { @Sendable (attempt: Attempt) in recorder.add(attempt) } })
        var worked = try await work(made)
        worked.texts += descriptions(made)
        report = worked
    } catch {
        report = describeFailure(error)
    }
    return recorder?.addAttempts(to: report) ?? report
}

/// Plays the call, wait or range of one operation. Repeats it concurrently or cancels it if the case says so.
private func playOperation(
    _ called: JSON, _ client: VitalwireClient, _ table: [String: Call], wait: WaitOptions = .init()
) async throws -> Report {
    guard let call = table[called["id"]?.text ?? ""] else { throw Unplayable(what: "no such operation") }
    let given = called["options"] ?? .null
    let arguments = Arguments(
        given: called["arguments"] ?? .null, options: try options(given), wait: wait, length: try partLength(called),
        range: try rangeOptions(called), turn: called["turn"]?.text)
    let (closed, ends) = (given["close_after_ms"]?.whole, given["close_ends"]?.truth ?? false)
    if closed == 0 { client.close(abortingCalls: ends) }
    let task = Task { await playConcurrently(Int(given["at_once"]?.whole ?? 1)) { await playOnce { try await call(client, arguments) } } }
    if let wait = given["cancel_after_ms"]?.whole {
        try? await Task.sleep(nanoseconds: wait * 1_000_000)
        task.cancel()
    }
    if let wait = closed, wait > 0 {
        try? await Task.sleep(nanoseconds: wait * 1_000_000)
        client.close(abortingCalls: ends)
    }
    return await task.value
}

/// Makes calls in sequence, with pauses, so that a call can reuse the connection of the previous one.
private func playInSequence(_ called: [JSON], _ client: VitalwireClient) async throws -> Report {
    var outcomes: [JSON] = []
    var texts: [String] = []
    for (number, one) in called.enumerated() {
        if number > 0 { try await Task.sleep(nanoseconds: 200_000_000) }
        let report = try await playOperation(one, client, calls)
        outcomes.append(report.outcome)
        texts += report.texts
    }
    return Report(outcome: .members(["in_row": .list(outcomes)]), texts: texts)
}
