import Foundation
import Vitalwire
import XCTest

/// Runs against a sandbox; `cargo xtask test` starts one and says where it is.
final class SmokeTests: XCTestCase {
    private func environment(_ name: String) throws -> String {
        try XCTUnwrap(ProcessInfo.processInfo.environment[name], "\(name) is not set; run this by `cargo xtask test`")
    }

    private func client(token: String? = nil) throws -> VitalwireClient {
        try VitalwireClient(
            options: ClientOptions(baseUrl: environment("VITALWIRE_BASE_URL"), token: token ?? environment("VITALWIRE_TOKEN")))
    }

    func testUserInfo() async throws {
        let answer = try await client().user.info()
        XCTAssertEqual(answer.meta.status, 200)
        XCTAssertEqual(answer.meta.attempts, 1)
        XCTAssertNotNil(answer.value.uid)
        let providers = try XCTUnwrap(answer.value.integratedProviders)
        XCTAssertFalse(providers.isEmpty)
        XCTAssertFalse(providers.contains { $0.providerSlug?.rawValue.isEmpty ?? true })
    }

    func testSleepWithStagesAndSamples() async throws {
        let id = try environment("VITALWIRE_SLEEP_ID")
        let night = try await client().sleeps.get(sleepId: id, includeStages: true, includeSamples: true).value
        let start = night.startAtTimestamp.date
        let end = try XCTUnwrap(night.endAtTimestamp).date
        // Durations are milliseconds.
        XCTAssertEqual(end.timeIntervalSince(start) * 1000, Double(try XCTUnwrap(night.duration)), accuracy: 1)
        let stages = try XCTUnwrap(night.stages)
        XCTAssertTrue(stages.contains { $0.stage == .deep })
        for stage in stages {
            let length = try XCTUnwrap(stage.endAt).date.timeIntervalSince(XCTUnwrap(stage.startAt).date)
            XCTAssertEqual(length * 1000, Double(try XCTUnwrap(stage.duration)), accuracy: 1)
        }
        let samples = try XCTUnwrap(night.samples)
        let heartrate = try XCTUnwrap(samples.values?[.heartrate])
        XCTAssertEqual(heartrate.count, samples.offsets?.count)
        XCTAssertTrue(heartrate.allSatisfy { (30...220).contains($0) })
        XCTAssertNotNil(night.metrics?.sleepDuration)
        XCTAssertNotNil(night.sleepDate)
    }

    func testStagesNotAskedForAreAbsent() async throws {
        let night = try await client().sleeps.get(sleepId: environment("VITALWIRE_SLEEP_ID")).value
        XCTAssertNil(night.stages)
        XCTAssertFalse(night.nullMembers.contains("stages"))
    }

    func testNutritionUpload() async throws {
        // The smallest PNG: one pixel.
        let image = try XCTUnwrap(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        // What follows a picture's end is none of it.
        XCTAssertEqual(try Picture.withoutMetadata(image + Data("Rosa Quintero".utf8)), image)
        XCTAssertThrowsError(try Picture.withoutMetadata(Data("GIF89a".utf8))) { error in
            XCTAssertEqual((error as? VitalwireError)?.kind, .invalidArgument)
        }
        let record = try await client().nutritionRecords.upload(body: image, waitOnProcess: true).value
        XCTAssertEqual(record.status, .completed)
        let fields = try XCTUnwrap(record.nutritionalFields)
        // Without include_nutrition_fields, four are filled.
        XCTAssertEqual(Set(fields.values.keys), ["carbohydrate_g", "energy_kcal", "fat_total_g", "protein_g"])
        XCTAssertEqual(fields[.energyKcal], fields.energyKcal)
    }

    func testProblemDetails() async throws {
        let id = "00000000-0000-4000-8000-000000000000"
        do {
            _ = try await client().sleeps.get(sleepId: id)
            XCTFail("an unknown record was found")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .notFound)
            XCTAssertEqual(error.code, 1201)
            XCTAssertEqual(error.info.status, 404)
            XCTAssertEqual(error.info.problem?.status, 404)
            XCTAssertFalse("\(error) \(String(reflecting: error))".contains(id))
        }
    }

    func testNothingIsShown() async throws {
        let id = try environment("VITALWIRE_SLEEP_ID")
        let night = try await client().sleeps.get(sleepId: id, includeStages: true, includeSamples: true)
        var dumped = ""
        dump(night, to: &dumped)
        dump(night.value.stages, to: &dumped)
        let texts = "\(night) \(night.value) \(String(describing: night.value.metrics)) \([night.value]) \(dumped)"
        XCTAssertFalse(texts.contains(id))
        XCTAssertFalse(texts.contains("deep"))
    }

    func testSecretsAreNotShown() {
        let canary = "CANARY-5d1e"
        let token = AccessToken(secret: canary)
        let options = ClientOptions(baseUrl: "https://\(canary).example", token: canary, careToken: canary)
        let call = CallOptions(token: canary)
        let info = ErrorInfo(
            text: "closed", kind: .closed, code: 1602, requestId: canary, attempts: 0, mayHaveTakenEffect: false, isTransient: false,
            argument: canary, place: canary)
        let meta = ResponseMeta(status: 200, requestId: canary, attempts: 1, elapsedMs: 5)
        var shown = "\(token) \(options) \(call) \(info) \(meta) \([token]) \(String(reflecting: [info]))"
        dump(token, to: &shown)
        dump(options, to: &shown)
        dump(call, to: &shown)
        dump(info, to: &shown)
        dump(meta, to: &shown)
        XCTAssertFalse(shown.contains(canary))
        XCTAssertTrue(shown.contains("AccessToken(..) ClientOptions(..) CallOptions(..) closed ResponseMeta(status 200, attempts 1, 5 ms)"))
    }

    func testDatesThatAreNoTimestamps() throws {
        for seconds in [Double.infinity, -.infinity, .nan, 1e19, 1e300] {
            XCTAssertNil(Timestamp(Date(timeIntervalSince1970: seconds)))
        }
        let before = try XCTUnwrap(Timestamp(Date(timeIntervalSince1970: -0.25)))
        XCTAssertEqual(before, Timestamp(seconds: -1, nanoseconds: 750_000_000))
    }

    func testCancelledTaskEndsTheCall() async throws {
        // Nobody answers on this port, so the call can only end by being cancelled.
        let hole = try BlackHole()
        let client = try VitalwireClient(options: ClientOptions(baseUrl: "http://127.0.0.1:\(hole.port)", token: "t"))
        let started = Date()
        let task = Task { try await client.user.info() }
        while !hole.isAsked, Date().timeIntervalSince(started) < 20 { try await Task.sleep(nanoseconds: 10_000_000) }
        let cancelled = Date()
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\(type(of: $0))") }
        // The call itself would go on for 30 seconds.
        XCTAssertLessThan(Date().timeIntervalSince(cancelled), 15)
        // The client still lives, so only the cancelling can have closed the connection.
        XCTAssertTrue(withExtendedLifetime(client) { hole.firstConnectionEnds() })
    }
}
