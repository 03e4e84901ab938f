import Foundation
import Vitalwire
import XCTest

@testable import VitalwireTesting

/// No value appears in `print`, `dump`, `String(reflecting:)` or `Mirror`. Only coders write values.
final class PrivacyTests: XCTestCase {
    /// Returns all descriptions of a value.
    private func shown<Value>(_ value: Value) -> String {
        var text = ""
        print(value, Optional(value) as Any, [value], ["key": value], (value, 1), to: &text)
        dump(value, to: &text)
        dump([value], to: &text)
        text += "\(value) \(String(describing: value)) \(String(reflecting: value)) \(String(reflecting: [value]))"
        reflect(value, into: &text)
        return text
    }

    private func reflect(_ value: Any, into text: inout String) {
        for child in Mirror(reflecting: value).children {
            text += "\(child.label ?? "") \(child.value)"
            reflect(child.value, into: &text)
        }
    }

    /// Returns texts and numbers of four characters and more in a JSON value. Shorter ones could occur by chance.
    private func canaries(_ json: JSONValue) throws -> Set<String> {
        if let members = try? json.decode([String: JSONValue].self) { return try members.values.reduce(into: []) { $0.formUnion(try canaries($1)) } }
        if let items = try? json.decode([JSONValue].self) { return try items.reduce(into: []) { $0.formUnion(try canaries($1)) } }
        let text = (try? json.decode(String.self)) ?? json.json
        return text.count < 4 || ["true", "false", "null"].contains(text) ? [] : [text]
    }

    func testNoRecordShowsAValue() throws {
        var found = 0
        for record in Sample.records {
            let json = try JSONValue(record)
            let texts = shown(record) + shown(json)
            for canary in try canaries(json) {
                found += 1
                XCTAssertTrue(json.json.contains(canary))
                XCTAssertFalse(texts.contains(canary), "\(type(of: record)) shows a value")
            }
        }
        XCTAssertGreaterThan(found, 200)
    }

    func testNoDescriptionOfThePackageContainsAValue() throws {
        let night = SleepRecord.sample
        let stage = try XCTUnwrap(night.stages?.first)
        let canary = "CANARY-93b1"
        let day = try XCTUnwrap(CalendarDate("1987-06-05"))
        let instant = Timestamp(seconds: 1_765_432_198, nanoseconds: 123_456_789)
        let series: Series = [61.25, 987654.5]
        let texts = [
            shown(try XCTUnwrap(night.metrics)), shown(stage), shown(SleepStageName(rawValue: canary)), shown(ProviderSlug(rawValue: canary)),
            shown(instant), shown(series), shown(SleepSampleValues([MetricName(rawValue: canary): series])),
            shown(try JSONValue(canary)), shown(LastRecord.nutritionRecord(NutritionRecord(id: canary))),
            shown(WaitCall<NutritionRecord>.Progress.fake(polls: 1, status: canary, recordID: canary)),
            shown(try ConsentRedirect(text: "state=\(canary)&x=\(canary)", expectedState: canary)),
            shown(AccessToken(canary)), shown(CallOptions(headers: [canary: canary], token: canary)),
            shown(VitalwireClient.Sleeps.GetInclude.stages), shown(WaitCall.State.ended(night)),
            shown(WaitCall<SleepRecord>.State.progress(.fake(polls: 1, status: canary, recordID: canary))),
            shown(RangeCall.ended([night], after: [.fake([night]), .failing(.fake(.service))])), shown(NightSearch.ended([Night(record: night)])),
            shown(RangeCall.ended([night]).makeAsyncIterator()),
            shown(Failure.rateLimited), shown(MockResponses.samples.on(.sleepsGet, MockResponse(json: canary))),
        ].joined()
        for value in [canary, "1765432198", "123456789", "61.25", "987654.5"] { XCTAssertFalse(texts.contains(value), value) }
        for value in try canaries(JSONValue(night)) { XCTAssertFalse(texts.contains(value)) }
        // `description` returns the text of a day; nothing else shows it.
        var dumped = "\(String(reflecting: day)) \([day])"
        dump(day, to: &dumped)
        dump(SleepRecord(sleepDate: day).sleepDate, to: &dumped)
        reflect(day, into: &dumped)
        for part in ["1987", "06-05"] { XCTAssertFalse(dumped.contains(part), dumped) }
    }

    func testAnEncoderWritesEveryValue() throws {
        for record in Sample.records {
            let json = try JSONValue(record)
            XCTAssertEqual(try again(record, json), json, "\(type(of: record))")
        }
    }

    private func again<Record: Codable>(_: Record, _ json: JSONValue) throws -> JSONValue { try JSONValue(json.decode(Record.self)) }
}
