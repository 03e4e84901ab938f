import Foundation
import Vitalwire
import XCTest

/// Values as Swift has them: dates, instants, open sets, series, records made by hand.
final class ValueTests: XCTestCase {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode([value]), as: UTF8.self)
    }

    func testInstantsAreReadAndWrittenAsTheServiceDoes() throws {
        let texts = ["2025-03-02T07:30:00Z", "2025-03-02T08:30:00+01:00", "2025-03-02T07:30:00"]
        for text in texts {
            let instant = try JSONDecoder().decode([Timestamp].self, from: Data("[\"\(text)\"]".utf8))[0]
            // 2025-03-02T07:30:00Z is 1,740,900,600 seconds after 1970, by `date -u -d 2025-03-02T07:30:00Z +%s`.
            XCTAssertEqual(instant, Timestamp(seconds: 1_740_900_600, nanoseconds: 0), text)
            XCTAssertEqual(try json(instant), "[\"2025-03-02T07:30:00Z\"]")
        }
        XCTAssertThrowsError(try JSONDecoder().decode([Timestamp].self, from: Data("[\"tomorrow\"]".utf8)))
        XCTAssertThrowsError(try JSONEncoder().encode(Timestamp(seconds: .max, nanoseconds: 0)))
        XCTAssertLessThan(Timestamp(seconds: 1, nanoseconds: 999_999_999), Timestamp(seconds: 2, nanoseconds: 0))
    }

    func testDatesBecomeInstantsToTheMicrosecond() {
        let instant = Timestamp(seconds: 1_740_900_600, nanoseconds: 123_456_000)
        XCTAssertEqual(Timestamp(instant.date), instant)
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: -0.25)), Timestamp(seconds: -1, nanoseconds: 750_000_000))
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: 1e300)).seconds, .max)
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: -.infinity)).seconds, .min)
        XCTAssertEqual(Timestamp(Date(timeIntervalSince1970: .nan)).seconds, 0)
    }

    func testCalendarDates() throws {
        let leap = try XCTUnwrap(CalendarDate(year: 2024, month: 2, day: 29))
        XCTAssertEqual(leap.description, "2024-02-29")
        XCTAssertEqual(CalendarDate("2024-02-29"), leap)
        XCTAssertEqual(try json(leap), "[\"2024-02-29\"]")
        for text in ["2023-02-29", "2024-2-29", "2024-02-29T00:00:00Z", "", "٢٠٢٤-٠٢-٢٩", "2024-13-01"] {
            XCTAssertNil(CalendarDate(text), text)
        }
        XCTAssertNil(CalendarDate(year: 100_000, month: 1, day: 1))
        XCTAssertNil(CalendarDate(DateComponents(year: 2024)))
        XCTAssertLessThan(leap, try XCTUnwrap(CalendarDate(year: 2024, month: 3, day: 1)))
        // 2025-03-02T23:30:00Z is the third of March in Auckland and the second in New York.
        let late = Date(timeIntervalSince1970: 1_740_958_200)
        let (auckland, york) = (try XCTUnwrap(TimeZone(identifier: "Pacific/Auckland")), try XCTUnwrap(TimeZone(identifier: "America/New_York")))
        XCTAssertEqual(CalendarDate(late, in: auckland), CalendarDate("2025-03-03"))
        XCTAssertEqual(CalendarDate(late, in: york), CalendarDate("2025-03-02"))
        // Midnight in New York, five hours behind UTC in winter: 2025-03-02T05:00:00Z.
        XCTAssertEqual(CalendarDate("2025-03-02")?.start(in: york), Date(timeIntervalSince1970: 1_740_891_600))
    }

    func testOpenSetsKeepWhatTheyDoNotKnow() throws {
        let new: SleepStageName = "dozing"
        XCTAssertFalse(new.isKnown)
        XCTAssertTrue(SleepStageName.deep.isKnown)
        // Both spellings are one gender.
        XCTAssertTrue(Gender(rawValue: "other").isKnown && Gender.other.isKnown)
        XCTAssertTrue(SleepStageName.allKnown.contains(.deep))
        XCTAssertEqual(try json(new), "[\"dozing\"]")
    }

    func testUnitsOfMetrics() throws {
        // Units are those of the interface's table of metrics.
        XCTAssertEqual(MetricName.sleepDuration.unit, "ms")
        XCTAssertEqual(MetricName.sleepDuration.dimension, UnitDuration.milliseconds)
        let hours = try XCTUnwrap(MetricName.sleepDuration.measurement(27_000_000) as Measurement<Dimension>?)
        XCTAssertEqual(hours.converted(to: UnitDuration.hours).value, 7.5, accuracy: 1e-9)
        XCTAssertNil(MetricName(rawValue: "new_metric").unit)
    }

    func testSeriesHaveGapsAndOneBuffer() throws {
        let series: Series = [1, .nan, 2.5]
        XCTAssertEqual(try json(series), "[[1,null,2.5]]")
        let back = try JSONDecoder().decode([Series].self, from: Data("[[1,null,2.5]]".utf8))[0]
        XCTAssertEqual(back.count, 3)
        XCTAssertTrue(back[1].isNaN)
        XCTAssertEqual(series.withContiguousStorageIfAvailable { $0.count }, 3)
    }

    func testRecordsMadeByHand() throws {
        let night = SleepRecord(id: "s1", startAt: Date(timeIntervalSince1970: 0), duration: .seconds(1.5), stages: [])
        XCTAssertEqual(
            try json(night),
            "[{\"duration\":1500,\"modified_at\":\"1970-01-01T00:00:00Z\",\"sleep_id\":\"s1\",\"stages\":[],"
                + "\"start_at_timestamp\":\"1970-01-01T00:00:00Z\"}]")
    }

    func testWhatIsNotKnownIsKept() throws {
        let text =
            "[{\"duration\":\"long\",\"modified_at\":\"1970-01-01T00:00:00Z\",\"new\":{\"a\":[1,null,12345678901234567890]},"
            + "\"stages\":null,\"start_at_timestamp\":\"1970-01-01T00:00:00Z\"}]"
        let night = try JSONDecoder().decode([SleepRecord].self, from: Data(text.utf8))[0]
        XCTAssertNil(night.duration)
        XCTAssertTrue(night.stagesIsNull)
        XCTAssertEqual(Set(night.extra.keys), ["duration", "new"])
        XCTAssertEqual(try night.extra["duration"]?.decode(String.self), "long")
        XCTAssertEqual(try json(night), text)
    }
}
