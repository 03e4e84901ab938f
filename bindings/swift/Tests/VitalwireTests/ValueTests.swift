import Foundation
import Vitalwire
import XCTest

/// Tests value types: dates, instants, open sets, series, and records that are created with initializers.
final class ValueTests: XCTestCase {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode([value]), as: UTF8.self)
    }

    func testInstantsAreReadAndWrittenInTheFormatOfTheService() throws {
        let texts = ["2025-03-02T07:30:00Z", "2025-03-02T08:30:00+01:00", "2025-03-02T07:30:00"]
        for text in texts {
            let instant = try JSONDecoder().decode([Timestamp].self, from: Data("[\"\(text)\"]".utf8))[0]
            // Computed by `date -u -d 2025-03-02T07:30:00Z +%s`.
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

    func testCalendarDatesAreParsedAndCompared() throws {
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
        // 2025-03-02T23:30:00Z is 3 March in Auckland and 2 March in New York.
        let late = Date(timeIntervalSince1970: 1_740_958_200)
        let (auckland, york) =
            (try XCTUnwrap(TimeZone(identifier: "Pacific/Auckland")), try XCTUnwrap(TimeZone(identifier: "America/New_York")))
        XCTAssertEqual(CalendarDate(late, in: auckland), CalendarDate("2025-03-03"))
        XCTAssertEqual(CalendarDate(late, in: york), CalendarDate("2025-03-02"))
        // Midnight in New York, five hours behind UTC in winter: 2025-03-02T05:00:00Z.
        XCTAssertEqual(CalendarDate("2025-03-02")?.start(in: york), Date(timeIntervalSince1970: 1_740_891_600))
    }

    func testComponentsOfOtherCalendarsAreConverted() throws {
        func components(_ identifier: Calendar.Identifier, era: Int? = nil, _ year: Int, _ month: Int, _ day: Int) -> DateComponents {
            DateComponents(calendar: Calendar(identifier: identifier), era: era, year: year, month: month, day: day)
        }
        // Buddhist years are 543 greater than Gregorian years. The Japanese era Reiwa has the number 236 and began on 2019-05-01.
        XCTAssertEqual(CalendarDate(components(.buddhist, 2568, 3, 2)), CalendarDate("2025-03-02"))
        XCTAssertEqual(CalendarDate(components(.japanese, era: 236, 7, 3, 2)), CalendarDate("2025-03-02"))
        XCTAssertNil(CalendarDate(components(.buddhist, 2568, 2, 29)))
        XCTAssertNil(CalendarDate(components(.buddhist, 2568, 13, 1)))
        for identifier in [Calendar.Identifier.gregorian, .iso8601] {
            XCTAssertEqual(CalendarDate(components(identifier, 2025, 3, 2)), CalendarDate("2025-03-02"))
        }
        // 1 BC is the year 0, and 44 BC is the year -43.
        XCTAssertEqual(CalendarDate(components(.gregorian, era: 0, 1, 3, 15)), CalendarDate(year: 0, month: 3, day: 15))
        XCTAssertEqual(CalendarDate(DateComponents(era: 0, year: 44, month: 3, day: 15)), CalendarDate(year: -43, month: 3, day: 15))
    }

    func testCalendarDatesAreConvertedBothWays() throws {
        for (year, text) in [(-9999, "-9999-01-02"), (-1, "-0001-01-02"), (0, "0000-01-02"), (1, "0001-01-02"), (9999, "9999-01-02")] {
            let date = try XCTUnwrap(CalendarDate(year: year, month: 1, day: 2))
            XCTAssertEqual(date.description, text)
            XCTAssertEqual(CalendarDate(text), date)
            XCTAssertEqual(try JSONDecoder().decode([CalendarDate].self, from: JSONEncoder().encode([date])), [date])
            XCTAssertEqual(CalendarDate(date.components(in: .gmt)), date)
            XCTAssertEqual(date.start(in: .gmt).map { CalendarDate($0, in: .gmt) }, date)
        }
        for text in ["-0000-01-01", "--001-01-01", "-001-01-01", "+2024-01-01"] { XCTAssertNil(CalendarDate(text), text) }
        let york = try XCTUnwrap(TimeZone(identifier: "America/New_York"))
        let parts = try XCTUnwrap(CalendarDate("2025-03-02")).components(in: york)
        XCTAssertEqual(parts.calendar?.identifier, .gregorian)
        XCTAssertEqual(parts.timeZone, york)
        XCTAssertEqual([parts.era, parts.year, parts.month, parts.day, parts.hour], [nil, 2025, 3, 2, nil])
        let before = try XCTUnwrap(CalendarDate(year: -43, month: 3, day: 15)).components(in: york)
        XCTAssertEqual([before.era, before.year, before.month, before.day], [0, 44, 3, 15])
        // A year with more than four digits must be clamped and must not trap.
        XCTAssertEqual(CalendarDate(Date(timeIntervalSince1970: 1e300), in: .gmt).description, "9999-12-31")
        XCTAssertEqual(CalendarDate(Date(timeIntervalSince1970: -.infinity), in: .gmt).description, "-9999-01-01")
        // First day of the Gregorian calendar, computed by `date -u -d @-12219292800`. The previous day must be 14 October 1582 (proleptic
        // Gregorian calendar), not 4 October (Julian calendar).
        XCTAssertEqual(CalendarDate(Date(timeIntervalSince1970: -12_219_292_800), in: .gmt).description, "1582-10-15")
        XCTAssertEqual(CalendarDate(Date(timeIntervalSince1970: -12_219_292_801), in: .gmt).description, "1582-10-14")
    }

    func testDaysWithoutMidnightStartLaterAndInvalidDaysDoNotStart() throws {
        func start(_ text: String, _ zone: String) throws -> TimeInterval? {
            try XCTUnwrap(CalendarDate(text)).start(in: try XCTUnwrap(TimeZone(identifier: zone)))?.timeIntervalSince1970
        }
        // In the tz database, clocks moved from 00:00 to 01:00 at 2018-11-04T03:00:00Z.
        XCTAssertEqual(try start("2018-11-04", "America/Sao_Paulo"), 1_541_300_400)
        // Clocks moved from 23:30 to 00:30 at 1919-03-31T04:30:00Z.
        XCTAssertEqual(try start("1919-03-31", "America/Toronto"), -1_601_753_400)
        // Samoa skipped 30 December 2011: 29 December ended at 2011-12-30T10:00:00Z.
        XCTAssertNil(try start("2011-12-30", "Pacific/Apia"))
        XCTAssertEqual(try start("2011-12-31", "Pacific/Apia"), 1_325_239_200)
        XCTAssertEqual(try start("2011-12-29", "Pacific/Apia"), 1_325_239_200 - 86_400)
    }

    func testOpenSetsKeepUnknownNames() throws {
        let new: SleepStageName = "dozing"
        XCTAssertFalse(new.isKnown)
        XCTAssertTrue(SleepStageName.deep.isKnown)
        // `other` is an alternative spelling of the same gender.
        let received = Gender(rawValue: "other")
        XCTAssertTrue(received.isKnown && Gender.other.isKnown)
        XCTAssertTrue(received == .other && !(received != .other))
        XCTAssertEqual(Set([received, .other]).count, 1)
        switch received {
        case .other: break
        default: XCTFail("another gender")
        }
        XCTAssertEqual(try json(received), "[\"other\"]")
        XCTAssertTrue(received != .unknown && Gender(rawValue: "OTHER") != .other)
        XCTAssertFalse(Gender(rawValue: "OTHER").isKnown)
        XCTAssertTrue(SleepStageName.allKnown.contains(.deep))
        XCTAssertEqual(try json(new), "[\"dozing\"]")
    }

    func testMetricsHaveUnits() throws {
        // Units as in the metrics table of the interface.
        XCTAssertEqual(MetricName.sleepDuration.unit, "ms")
        XCTAssertEqual(MetricName.sleepDuration.dimension, UnitDuration.milliseconds)
        let hours = try XCTUnwrap(MetricName.sleepDuration.measurement(27_000_000) as Measurement<Dimension>?)
        XCTAssertEqual(hours.converted(to: UnitDuration.hours).value, 7.5, accuracy: 1e-9)
        XCTAssertNil(MetricName(rawValue: "new_metric").unit)
        XCTAssertEqual(MetricName.skinTemperature.dimension, UnitTemperature.celsius)
    }

    func testDeviationsAreNoMeasurements() {
        XCTAssertEqual(MetricName.sleepSkinTemperatureDeviation.unit, "degC")
        XCTAssertNil(MetricName.sleepSkinTemperatureDeviation.dimension)
        XCTAssertNil(MetricName.sleepSkinTemperatureDeviation.measurement(0.3))
        XCTAssertNil(StatisticName.sleepSkinTemperatureDeviation.dimension)
    }

    func testSeriesHaveGapsAndShareOneBuffer() throws {
        let series: Series = [1, .nan, 2.5]
        XCTAssertEqual(try json(series), "[[1,null,2.5]]")
        let back = try JSONDecoder().decode([Series].self, from: Data("[[1,null,2.5]]".utf8))[0]
        XCTAssertEqual(back.count, 3)
        XCTAssertTrue(back[1].isNaN)
        XCTAssertEqual(series.withContiguousStorageIfAvailable { $0.count }, 3)
        // Both accesses must see the same address, because nothing is copied.
        let long = Series((0..<1_000).map(Double.init))
        let places = (0..<2).map { _ in long.withContiguousStorageIfAvailable { $0.baseAddress.map { Int(bitPattern: $0) } } ?? nil }
        XCTAssertNotNil(places[0])
        XCTAssertEqual(places[0], places[1])
    }

    func testRecordsCanBeCreated() throws {
        let night = SleepRecord(id: "s1", startAt: Date(timeIntervalSince1970: 0), duration: .seconds(1.5), stages: [])
        XCTAssertEqual(
            try json(night),
            "[{\"duration\":1500,\"modified_at\":\"1970-01-01T00:00:00Z\",\"sleep_id\":\"s1\",\"stages\":[],"
                + "\"start_at_timestamp\":\"1970-01-01T00:00:00Z\"}]")
    }

    func testInitializersHaveEveryField() throws {
        let exact = Timestamp(seconds: 1_740_900_600, nanoseconds: 123_456_789)
        let night = SleepRecord(startAt: .distantPast, endAt: exact.date, startAtTimestamp: exact, endAtTimestamp: exact,
            stagesIsNull: true)
        XCTAssertEqual(night.startAtTimestamp, exact)
        XCTAssertEqual(night.endAtTimestamp, exact)
        XCTAssertTrue(night.stagesIsNull)
        XCTAssertFalse(night.recordIDsIsNull)
        XCTAssertTrue(try json(night).contains("\"stages\":null"))
        XCTAssertEqual(SleepRecord(endAt: exact.date).endAtTimestamp, Timestamp(exact.date))
    }

    func testAnInvalidItemOfAListDoesNotHideItsNeighbours() throws {
        func decoded<Value: Decodable>(_ text: String) throws -> Value { try JSONDecoder().decode(Value.self, from: Data(text.utf8)) }
        let times = #""modified_at":"1970-01-01T00:00:00Z","start_at_timestamp":"1970-01-01T00:00:00Z""#
        let night: SleepRecord = try decoded(#"{\#(times),"record_ids":["a",null,7,"b"],"stages":[{"stage":"deep"},null,5]}"#)
        XCTAssertEqual(night.recordIDs, ["a", "b"])
        XCTAssertEqual(night.stages, [SleepStage(stage: .deep)])
        XCTAssertTrue(night.extra.isEmpty)
        let other: SleepRecord = try decoded(#"{\#(times),"stages":{"stage":"deep"}}"#)
        XCTAssertNil(other.stages)
        XCTAssertEqual(Set(other.extra.keys), ["stages"])
        // Without an item, the others would have other times.
        let samples: SleepSamples = try decoded(#"{"offsets":[1,"x"]}"#)
        XCTAssertNil(samples.offsets)
        XCTAssertEqual(Set(samples.extra.keys), ["offsets"])
        let hours: IntervalStatistics = try decoded(#"{"statistics":[null,{"values":{"steps":7}}]}"#)
        XCTAssertEqual(hours.statistics.count, 1)
        let none: IntervalStatistics = try decoded(#"{"statistics":null}"#)
        XCTAssertEqual(none, IntervalStatistics())
        XCTAssertThrowsError(try decoded("{}") as IntervalStatistics)
    }

    func testUnknownNumbersBeyondDecimalAreKept() throws {
        let times = #""modified_at":"1970-01-01T00:00:00Z","start_at_timestamp":"1970-01-01T00:00:00Z""#
        let text = #"[{\#(times),"new":1e200}]"#
        let night = try JSONDecoder().decode([SleepRecord].self, from: Data(text.utf8))[0]
        XCTAssertEqual(try night.extra["new"]?.decode(Double.self), 1e200)
        let again = try JSONDecoder().decode([SleepRecord].self, from: Data(try json(night).utf8))[0]
        XCTAssertEqual(again, night)
    }

    func testUnknownFieldsAreKept() throws {
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
