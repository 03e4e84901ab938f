import Foundation
import Vitalwire
import XCTest

/// Tests the conversion of responses to tables of columns.
final class ColumnTests: XCTestCase {
    private let day = CalendarDate("2025-03-01")!

    func testStatisticsAreColumnsWithUnitsAndPoints() throws {
        let days = [
            DailyBucket(date: day, values: .init([.steps: 1_200, .heartrateResting: 58.5])),
            DailyBucket(date: CalendarDate("2025-03-02")!, values: .init([.heartrateResting: 60])),
            DailyBucket(date: CalendarDate("2025-03-03")!, values: .init([.steps: 900])),
        ]
        let table = try DailyStatistics(fromDate: day, toDate: CalendarDate("2025-03-03")!, statistics: days).dailyStatisticsTable()
        XCTAssertEqual(table.rows, 3)
        let steps = try XCTUnwrap(table["steps"])
        XCTAssertEqual(steps.numbers.map { $0.isNaN ? -1 : $0 }, [1_200, -1, 900])
        XCTAssertEqual(table["heartrate_resting"]?.unit, "bpm")
        XCTAssertNil(table["distance_total"])
        let berlin = try XCTUnwrap(TimeZone(identifier: "Europe/Berlin"))
        let points = table.points("steps", in: berlin)
        XCTAssertEqual(points.map(\.value), [1_200, 900])
        XCTAssertEqual(points.map(\.id), [0, 2])
        XCTAssertEqual(points.map(\.time), [day.start(in: berlin), CalendarDate("2025-03-03")!.start(in: berlin)].compactMap { $0 })
        XCTAssertEqual(table.points("no such column").count, 0)
    }

    func testStagesOfANightHaveTimesAndNames() throws {
        let start = Date(timeIntervalSince1970: 1_740_870_000)
        let stages = [SleepStage(stage: .deep, startAt: start, endAt: start + 600), SleepStage(stage: .rem, startAt: start + 600)]
        let table = try SleepRecord(id: "s-1", startAt: start, stages: stages).sleepStagesTable()
        XCTAssertEqual(table.rows, 2)
        XCTAssertEqual(table["stage"]?.texts, ["deep", "rem"])
        XCTAssertEqual(table["start_at"]?.times(), [start, start + 600])
        XCTAssertEqual(table["end_at"]?.times(), [start + 600, nil])
    }

    func testMealsHaveTheBasisOfTheirNumbers() throws {
        let meal = { (id: String, energy: Double, basis: NumberBasis) in
            NutritionRecord(id: id, status: .completed, nutritionalFields: .init([.energyKcal: energy], basis: basis))
        }
        // In the third meal, only one ingredient has a basis. The fourth meal has no basis at all.
        let rice = Ingredient(name: "rice", nutritionalFields: .init([.energyKcal: 130], basis: .per100))
        let mealWithBasis = NutritionRecord(id: "n-3", status: .completed, ingredients: [Ingredient(name: "salt"), rice])
        let meals = [meal("n-1", 640, .perServing), meal("n-2", 210.5, .per100), mealWithBasis,
            NutritionRecord(id: "n-4", status: .processing)]
        let table = try meals.nutritionRecordsTable()
        XCTAssertEqual(table["record_id"]?.texts, ["n-1", "n-2", "n-3", "n-4"])
        XCTAssertEqual(table["basis"]?.texts, ["per_serving", "per_100", "per_100", "unknown"])
        XCTAssertEqual(table["energy_kcal"]?.unit, "kcal")
        XCTAssertEqual(table["energy_kcal"]?.numbers.map { $0.isNaN ? -1 : $0 }, [640, 210.5, -1, -1])

        let ingredients = try meals.nutritionIngredientsTable()
        XCTAssertEqual(ingredients["name"]?.texts, ["salt", "rice"])
        XCTAssertEqual(ingredients["basis"]?.texts, ["per_100", "per_100"])
        XCTAssertEqual(try NutritionUploadResponse(id: "n-5", ingredients: [rice]).nutritionIngredientsTable().rows, 1)
        XCTAssertEqual(try [NutritionRecord]().nutritionRecordsTable().rows, 0)
    }

    func testAMergedRangeConvertsToOneTable() async throws {
        let responses = MockResponses()
        for number in [1, 2] {
            let (date, bucket) = ("2025-03-0\(number)", #"{"date": "2025-03-0\#(number)", "values": {"steps": \#(number)}}"#)
            responses.add(MockResponse(json: #"{"from_date": "\#(date)", "to_date": "\#(date)", "statistics": [\#(bucket)]}"#),
                to: "daily_statistics")
        }
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        let range = client.statistics.daily(
            day...CalendarDate("2025-03-02")!, of: [.steps], partLength: .days(1), range: .init(concurrency: 1))
        let table = try await range.collect().response.dailyStatisticsTable()
        XCTAssertEqual(table["steps"]?.numbers, [1, 2])
    }

    func testAResponseCountsTheItemsSkippedByItsTable() async throws {
        let body =
            #"{"from_date": "2025-03-01", "to_date": "2025-03-03", "statistics": [{"date": "2025-03-01", "values": {"steps": 100}}, "#
            + #"null, {"date": "2025-03-03", "values": {"steps": "canary"}}]}"#
        let meal = { (id: String, ingredients: String) in
            #"{"record_id": "\#(id)", "status": "completed", "uploaded_at": "2025-03-02T12:00:00Z", "#
                + #""modified_at": "2025-03-02T12:00:20Z", "ingredients": [\#(ingredients)]}"#
        }
        let responses = MockResponses()
        responses.add(MockResponse(json: body), to: "daily_statistics")
        responses.add(MockResponse(json: #"[{"record_id": "lab-1", "status": "completed"}, null]"#), to: "list_lab_reports")
        let two = "[\(meal("n-1", "")), 3, \(meal("n-2", #"null, {"name": "rice"}, 4"#))]"
        responses.add(MockResponse(json: two), to: "list_nutrition_records")
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)

        let days = try await client.withResponse { [day] in try await $0.statistics.daily(fromDate: day, toDate: day, types: [.steps]) }
        let table = try days.dailyStatisticsTable()
        XCTAssertEqual(table.rows, 2)
        XCTAssertEqual(table.skippedByColumn, ["statistics": 1, "steps": 1])
        XCTAssertEqual(table.skippedCount, 2)
        // Skipped items are known to the response only, not to the record.
        XCTAssertEqual(try days.value.dailyStatisticsTable().skippedByColumn, ["steps": 1])

        let labs = try await client.withResponse { try await $0.labReports.list() }
        XCTAssertEqual(try labs.labResultsTable().skippedByColumn, ["response": 1])
        XCTAssertEqual(try labs.value.labResultsTable().skippedCount, 0)

        let meals = try await client.withResponse { try await $0.nutritionRecords.list() }
        XCTAssertEqual(try meals.nutritionRecordsTable().skippedByColumn, ["response": 1])
        let ingredients = try meals.nutritionIngredientsTable()
        XCTAssertEqual(ingredients["name"]?.texts, ["rice"])
        XCTAssertEqual(ingredients.skippedByColumn, ["response": 1, "ingredients": 2])
        XCTAssertEqual(ingredients.skippedCount, 3)
    }

    func testDescriptionsHaveNoValues() throws {
        let table = try DailyStatistics(
            fromDate: day, toDate: day, statistics: [DailyBucket(date: day, values: .init([.steps: 1_234_567]))]
        ).dailyStatisticsTable()
        var texts = "\(table) \(table.columns) \(String(reflecting: table))"
        dump(table, to: &texts)
        dump(Array(table.points("steps")), to: &texts)
        texts += "\(table.points("steps")) \(String(reflecting: table.points("steps")))"
        dump(table.points("steps"), to: &texts)
        for canary in ["1234567", "2025"] { XCTAssertFalse(texts.contains(canary), texts) }
    }
}
