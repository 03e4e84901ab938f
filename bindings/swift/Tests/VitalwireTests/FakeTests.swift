import Foundation
import Vitalwire
import VitalwireTesting
import XCTest

/// Application code that depends on a protocol.
private struct LastNight {
    let sleeps: any SleepsProtocol

    func deep(of id: String) async throws -> Duration {
        let stages = try await sleeps.get(id, include: [.stages]).stages ?? []
        return stages.filter { $0.stage == .deep }.compactMap(\.duration).reduce(.zero, +)
    }
}

/// A fake of one resource that implements only `get`.
private struct FakeSleeps: SleepsProtocol {
    func get(_ call: GetCall) async throws -> SleepRecord {
        guard call.id == "s-1" else { throw VitalwireError.fake(.notFound) }
        guard call.include == [.stages] else { return SleepRecord(id: call.id) }
        return SleepRecord(id: call.id, stages: [
            SleepStage(stage: .deep, duration: .seconds(600)), SleepStage(stage: .rem, duration: .seconds(60)),
        ])
    }
}

/// A fake of one resource that implements only a wait.
private struct FakeMeals: NutritionRecordsProtocol {
    func waitFor(_ call: WaitForCall) -> WaitCall<NutritionRecord> {
        call.id.isEmpty ? .failing(VitalwireError.fake(.notFound)) : .ended(.sample, after: [.fake(polls: 1, recordID: call.id)])
    }
}

private struct FakeStatistics: StatisticsProtocol {
    let range: RangeCall<DailyStatistics>

    func daily(_ call: DailyRangeCall) -> RangeCall<DailyStatistics> { call.types == [.steps] ? range : .failing(CancellationError()) }
}

private struct FakeNights: SleepsProtocol {
    let nights: NightSearch

    func between(_ call: BetweenCall) -> NightSearch { nights }
}

final class FakeTests: XCTestCase {
    private let days = CalendarDate("2025-03-01")!...CalendarDate("2025-03-04")!

    private func day(_ number: Int) -> DailyBucket {
        DailyBucket(date: CalendarDate("2025-03-0\(number)"), values: .init([.steps: Double(number)]))
    }

    private func statistics(_ range: RangeCall<DailyStatistics>) -> any StatisticsProtocol { FakeStatistics(range: range) }

    func testThePartsOfAFakeRangeAreRead() async throws {
        let parts = [[day(1), day(2)], [day(3), day(4)]].enumerated().map { index, days in
            RangePart.fake(DailyStatistics(statistics: days), index: index, of: 2, items: 2 * index + 2, days: self.days)
        }
        let whole = DailyStatistics(statistics: (1...4).map { day($0) })
        let range = statistics(.ended(whole, after: parts)).daily(days, of: [.steps], partLength: .days(2))
        var (steps, fractions): ([Double?], [Double]) = ([], [])
        let read = range.makeAsyncIterator()
        for try await part in read {
            XCTAssertEqual(part.days, days)
            steps += try part.response.statistics.map { $0.values?.steps }
            fractions.append(part.progress.fraction)
        }
        XCTAssertEqual(steps, [1, 2, 3, 4])
        XCTAssertEqual(fractions, [0.5, 1])
        XCTAssertEqual(read.progress?.items, 4)
        let reports = ValueRecorder<Int>()
        let merged = try await range.collect { reports.add($0.done) }
        XCTAssertEqual(reports.all, [1, 2])
        XCTAssertEqual(merged.response, whole)
        XCTAssertEqual(merged.parts.map(\.items), [0..<2, 2..<4])
        // The merged range of a fake cannot be merged.
        XCTAssertThrowsError(try merged.merging(merged)) { XCTAssertEqual(($0 as? VitalwireError)?.kind, .invalidArgument) }
    }

    func testAFakeRangeWithoutPartsHasOnePart() async throws {
        let range = statistics(.ended(.sample)).daily(from: days.lowerBound, to: days.upperBound, of: [.steps], partLength: nil)
        var responses: [DailyStatistics] = []
        for try await part in range { responses.append(try part.response) }
        let merged = try await range.collect()
        XCTAssertEqual(responses, [.sample])
        XCTAssertEqual(merged.response, .sample)
    }

    func testAFakeRangeFailsAfterItsParts() async throws {
        let before = DailyStatistics(statistics: [day(1)])
        let late = VitalwireError.fake(.timeout)
        let part = RangePart.fake(before, of: 3)
        let skipped = RangePart<DailyStatistics>.failing(.fake(.service), index: 1, of: 3)
        let failing = statistics(.failing(late, after: [part, skipped], partialResult: before))
        let range = failing.daily(days, of: [.steps], partLength: .days(1))
        var kinds: [ErrorKind?] = []
        let read = range.makeAsyncIterator()
        do {
            for try await part in read {
                if case .failure(let error) = part.result { kinds.append(error.kind) } else { kinds.append(nil) }
            }
            XCTFail("the range ended")
        } catch { XCTAssertEqual((error as? VitalwireError)?.kind, .timeout) }
        XCTAssertEqual(kinds, [nil, .service])
        let after = try await read.next()
        XCTAssertNil(after)
        do {
            _ = try await range.collect()
            XCTFail("the range ended")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .timeout)
            let read = try XCTUnwrap(error.partialResult(of: range))
            XCTAssertEqual(read.response, before)
            XCTAssertEqual(read.failures.map(\.index), [1])
        }
    }

    func testAFakeRangeCanBeClosedAndCancelled() async throws {
        let parts = (0..<3).map { RangePart.fake(DailyStatistics.sample, index: $0, of: 3) }
        let range = statistics(.ended(.sample, after: parts)).daily(days, of: [.steps], partLength: .days(1))
        let read = range.makeAsyncIterator()
        let first = try await read.next()
        XCTAssertEqual(first?.index, 0)
        read.close()
        let closed = try await read.next()
        XCTAssertNil(closed)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            for try await _ in range {}
        }
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertEqual(($0 as? VitalwireError)?.kind, .cancelled) }
    }

    func testAFakeSearchFindsNights() async throws {
        let nights = [
            Night(days: [days.lowerBound], record: SleepRecord(id: "s-1")), Night(days: [days.upperBound], record: SleepRecord(id: "s-2")),
        ]
        let sleeps: any SleepsProtocol = FakeNights(nights: .ended(nights))
        var (ids, found): ([String?], [[CalendarDate]]) = ([], [])
        for try await night in sleeps.between(days, include: [.stages]) {
            ids.append(try night.night.record.id)
            found.append(night.days)
        }
        XCTAssertEqual(ids, ["s-1", "s-2"])
        XCTAssertEqual(found, [[days.lowerBound], [days.upperBound]])
        let whole = try await sleeps.between(days).collect()
        XCTAssertEqual(whole.response.map(\.record.id), ["s-1", "s-2"])

        let broken = FakeNights(nights: .failing(VitalwireError.fake(.service), after: nights)).between(days)
        do {
            for try await night in broken { ids.append(try night.night.record.id) }
            XCTFail("the search ended")
        } catch { XCTAssertEqual((error as? VitalwireError)?.kind, .service) }
        XCTAssertEqual(ids.count, 4)
        do {
            _ = try await broken.collect()
            XCTFail("the search ended")
        } catch let error as VitalwireError { XCTAssertEqual(error.partialResult(of: broken)?.response.count, 2) }
    }

    func testAFakeSearchHasATable() async throws {
        let nights = [Night(record: .sample), Night(record: .sample)]
        let told = ValueRecorder<Int>()
        let table = try await FakeNights(nights: .ended(nights)).between(days).collectSleepsTable(missingRows: true) { told.add($0.items) }
        XCTAssertEqual(table.response["sleep_id"]?.texts, [SleepRecord.sample.id, SleepRecord.sample.id])
        XCTAssertEqual(told.all, [1, 2])

        let broken = FakeNights(nights: .failing(VitalwireError.fake(.service), after: nights)).between(days)
        do {
            _ = try await broken.collectSleepsTable()
            XCTFail("the search ended")
        } catch let error as VitalwireError { XCTAssertEqual(error.partialSleepsTable(of: broken)?.response.rows, 2) }
    }

    func testAFakeReceivesTheArgumentsOfACall() async throws {
        final class Meals: NutritionRecordsProtocol {
            let sent = ValueRecorder<FileUploadCall>()

            func upload(_ call: FileUploadCall) async throws -> NutritionUploadResponse {
                sent.add(call)
                return .sample
            }
        }
        let (fake, picture) = (Meals(), Data("picture".utf8))
        let meals: any NutritionRecordsProtocol = fake
        _ = try await meals.upload(.data(picture), removingMetadata: true, countryCode: "ES", options: .init(timeout: .seconds(9)))
        let call = try XCTUnwrap(fake.sent.all.first)
        XCTAssertEqual(call.picture, .data(picture))
        XCTAssertTrue(call.removingMetadata)
        XCTAssertEqual([call.countryCode, call.languageCode], ["ES", nil])
        XCTAssertEqual(call.options.timeout, .seconds(9))
        XCTAssertEqual("\(call) \(String(reflecting: call))", "FileUploadCall(..) FileUploadCall(..)")
    }

    func testAForwardedCallSendsTheSameRequest() async throws {
        let client = VitalwireClient.mock(.samples)
        let statistics: any StatisticsProtocol = ForwardingStatistics(real: client.statistics)
        let sleeps: any SleepsProtocol = ForwardingSleeps(real: client.sleeps)
        let meals: any NutritionRecordsProtocol = ForwardingMeals(real: client.nutritionRecords)
        let daily = try await statistics.daily(fromDate: days.lowerBound, toDate: days.upperBound, types: [.steps])
        let collected = try await statistics.daily(days, of: [.steps], partLength: nil).collect()
        XCTAssertEqual([daily, collected.response].map(\.statistics.count), [daily.statistics.count, daily.statistics.count])
        let night = try await sleeps.get("any", include: [.stages])
        XCTAssertEqual(night, .sample)
        // The type of a method has no parameter names.
        let get = ForwardingSleeps(real: VitalwireClient.mock(.samples).sleeps).get(_:)
        let own = client.sleeps.get(_:)
        XCTAssertTrue(type(of: get) == type(of: own))
        do {
            for try await _ in sleeps.between(days, options: .init(timeout: .zero)) {}
            XCTFail("no time was left")
        } catch { XCTAssertNotNil(error as? VitalwireError) }
        let uploaded = try await meals.upload(.image(address: URL(string: "https://pictures.example/lunch.png")!))
        XCTAssertEqual(uploaded, .sample)
        let list = try await meals.list(Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 60), partLength: nil).collect()
        XCTAssertFalse(list.response.isEmpty)
    }

    func testAnApplicationUsesAFake() async throws {
        let night = LastNight(sleeps: FakeSleeps())
        let deep = try await night.deep(of: "s-1")
        XCTAssertEqual(deep, .seconds(600))
        do {
            _ = try await night.deep(of: "s-2")
            XCTFail("there is no such night")
        } catch {
            XCTAssertEqual((error as? VitalwireError)?.kind, .notFound)
        }
    }

    func testAnApplicationUsesTheClientInsteadOfAFake() async throws {
        let deep = try await LastNight(sleeps: VitalwireClient.mock(.samples).sleeps).deep(of: "any")
        XCTAssertGreaterThan(deep, .zero)
    }

    func testAFakeWaitReportsProgressAndEnds() async throws {
        let meals: any NutritionRecordsProtocol = FakeMeals()
        var (reports, ended): ([String?], NutritionRecord?) = ([], nil)
        for try await state in meals.waitFor("n-1") {
            switch state {
            case .progress(let progress): reports.append(progress.recordID)
            case .ended(let record): ended = record
            }
        }
        XCTAssertEqual(reports, ["n-1"])
        XCTAssertEqual(ended, .sample)
    }

    func testACallThatAFakeDoesNotImplementIsAnError() async {
        do {
            _ = try await FakeMeals().get("n-1")
            XCTFail("the fake has no such call")
        } catch {
            XCTAssertEqual((error as? VitalwireError)?.kind, .configuration)
            XCTAssertTrue("\(error)".contains("nutritionRecords.get(_: GetCall)"), "\(error)")
        }
        func assertNotFaked(_ name: String, _ call: () async throws -> Void) async {
            do {
                try await call()
                XCTFail("the fake has no such call")
            } catch {
                XCTAssertEqual((error as? VitalwireError)?.kind, .configuration)
                XCTAssertTrue("\(error)".contains(name), "\(error)")
            }
        }
        let (statistics, sleeps) = (statistics(.ended(.sample)), FakeSleeps())
        await assertNotFaked("statistics.interval(_: IntervalRangeCall)") {
            for try await _ in statistics.interval(interval: .oneHour, of: [.steps], partLength: .hours(1)) {}
        }
        await assertNotFaked("sleeps.between(_: BetweenCall)") { for try await _ in sleeps.between(days) {} }
        await assertNotFaked("sleeps.between(_: BetweenCall)") { _ = try await sleeps.between(days).collect() }
        await assertNotFaked("nutritionRecords.uploadAndWait(_: FileUploadAndWaitCall)") {
            _ = try await FakeMeals().uploadAndWait(.data(Data())).record()
        }
    }
}
