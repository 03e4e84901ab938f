import Foundation
import Vitalwire
import XCTest

@testable import VitalwireTesting

/// Checks that `print`, `dump`, `String(reflecting:)` and `Mirror` show no value. Only coders write values.
final class PrivacyTests: XCTestCase {
    /// Returns the text of a value from every way to print it.
    private func allTexts<Value>(_ value: Value) -> String {
        var text = ""
        print(value, Optional(value) as Any, [value], ["key": value], (value, 1), to: &text)
        dump(value, to: &text)
        dump([value], to: &text)
        text += "\(value) \(String(describing: value)) \(String(reflecting: value)) \(String(reflecting: [value]))"
        appendReflection(value, into: &text)
        return text
    }

    private func appendReflection(_ value: Any, into text: inout String) {
        for child in Mirror(reflecting: value).children {
            text += "\(child.label ?? "") \(child.value)"
            appendReflection(child.value, into: &text)
        }
    }

    /// Returns the texts and numbers in a JSON value that have at least four characters. Shorter values could occur by chance.
    private func canaryTexts(_ json: JSONValue) throws -> Set<String> {
        if let members = try? json.decode([String: JSONValue].self) {
            return try members.values.reduce(into: []) { $0.formUnion(try canaryTexts($1)) }
        }
        if let items = try? json.decode([JSONValue].self) { return try items.reduce(into: []) { $0.formUnion(try canaryTexts($1)) } }
        let text = (try? json.decode(String.self)) ?? json.json
        return text.count < 4 || ["true", "false", "null"].contains(text) ? [] : [text]
    }

    func testNoRecordShowsAValue() throws {
        var found = 0
        for record in Sample.records {
            let json = try JSONValue(record)
            let texts = allTexts(record) + allTexts(json)
            for canary in try canaryTexts(json) {
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
            allTexts(try XCTUnwrap(night.metrics)), allTexts(stage), allTexts(SleepStageName(rawValue: canary)),
            allTexts(ProviderSlug(rawValue: canary)),
            allTexts(instant), allTexts(series), allTexts(SleepSampleValues([MetricName(rawValue: canary): series])),
            allTexts(try JSONValue(canary)), allTexts(LastRecord.nutritionRecord(NutritionRecord(id: canary))),
            allTexts(WaitCall<NutritionRecord>.Progress.fake(polls: 1, status: canary, recordID: canary)),
            allTexts(try ConsentRedirect(text: "state=\(canary)&x=\(canary)", expectedState: canary)),
            allTexts(AccessToken(canary)), allTexts(CallOptions(headers: [canary: canary], token: canary)),
            allTexts(VitalwireClient.Sleeps.GetInclude.stages), allTexts(WaitCall.State.ended(night)),
            allTexts(WaitCall<SleepRecord>.State.progress(.fake(polls: 1, status: canary, recordID: canary))),
            allTexts(RangeCall.ended([night], after: [.fake([night]), .failing(.fake(.service))])),
            allTexts(NightSearch.ended([Night(record: night)])),
            allTexts(RangeCall.ended([night]).makeAsyncIterator()),
            allTexts(Failure.rateLimited), allTexts(MockResponses.samples.on(.sleepsGet, MockResponse(json: canary))),
        ].joined()
        for value in [canary, "1765432198", "123456789", "61.25", "987654.5"] { XCTAssertFalse(texts.contains(value), value) }
        for value in try canaryTexts(JSONValue(night)) { XCTAssertFalse(texts.contains(value)) }
        // Only `description` returns the text of a day.
        var dumped = "\(String(reflecting: day)) \([day])"
        dump(day, to: &dumped)
        dump(SleepRecord(sleepDate: day).sleepDate, to: &dumped)
        appendReflection(day, into: &dumped)
        for part in ["1987", "06-05"] { XCTAssertFalse(dumped.contains(part), dumped) }
    }

    func testAnEncoderWritesEveryValue() throws {
        for record in Sample.records {
            let json = try JSONValue(record)
            XCTAssertEqual(try roundTrip(record, json), json, "\(type(of: record))")
        }
    }

    private func roundTrip<Record: Codable>(_: Record, _ json: JSONValue) throws -> JSONValue { try JSONValue(json.decode(Record.self)) }
}
