import Foundation
import Vitalwire
import XCTest

/// Tests calls to a sandbox. `cargo xtask test` starts the sandbox and sets the address in the environment.
final class SmokeTests: XCTestCase {
    private func environment(_ name: String) throws -> String {
        try XCTUnwrap(ProcessInfo.processInfo.environment[name], "\(name) is not set; run this by `cargo xtask test`")
    }

    private func client(token: String? = nil) throws -> VitalwireClient {
        let url = try XCTUnwrap(URL(string: environment("VITALWIRE_BASE_URL")))
        return try VitalwireClient(ClientOptions(baseURL: url, token: token ?? environment("VITALWIRE_TOKEN")))
    }

    func testUserInfoIsRead() async throws {
        let response = try await client().withResponse { try await $0.user.info() }
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(response.attempts, 1)
        XCTAssertNotNil(response.value.uid)
        let providers = try XCTUnwrap(response.value.integratedProviders)
        XCTAssertFalse(providers.isEmpty)
        XCTAssertFalse(providers.contains { $0.providerSlug?.rawValue.isEmpty ?? true })
    }

    func testWorkWithoutACallHasNoResponse() async throws {
        do {
            _ = try await client().withResponse { _ in 1 }
            XCTFail("there was no call")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .invalidArgument)
        }
    }

    func testASleepHasStagesAndSamples() async throws {
        let id = try environment("VITALWIRE_SLEEP_ID")
        let night = try await client().sleeps.get(id, include: [.stages, .samples])
        XCTAssertEqual(night.id, id)
        let end = try XCTUnwrap(night.endAt)
        let length = try XCTUnwrap(night.duration)
        XCTAssertEqual(end.timeIntervalSince(night.startAt), length / .seconds(1), accuracy: 0.001)
        let stages = try XCTUnwrap(night.stages)
        XCTAssertTrue(stages.contains { $0.stage == .deep })
        for stage in stages {
            let length = try XCTUnwrap(stage.endAt).timeIntervalSince(XCTUnwrap(stage.startAt))
            XCTAssertEqual(length, try XCTUnwrap(stage.duration) / .seconds(1), accuracy: 0.001)
        }
        let samples = try XCTUnwrap(night.samples)
        let heartrate = try XCTUnwrap(samples.values?[.heartrate])
        XCTAssertEqual(heartrate.count, samples.offsets?.count)
        XCTAssertTrue(heartrate.allSatisfy { (30...220).contains($0) })
        XCTAssertEqual(heartrate.withContiguousStorageIfAvailable { Array($0) }, Array(heartrate))
        XCTAssertNotNil(night.metrics?.sleepDuration)
        XCTAssertNotNil(night.sleepDate)
    }

    func testRecordsAreDecodedFromTheirOwnJSON() async throws {
        let night = try await client().sleeps.get(environment("VITALWIRE_SLEEP_ID"), include: [.stages, .samples])
        XCTAssertEqual(try JSONDecoder().decode(SleepRecord.self, from: JSONEncoder().encode(night)), night)
    }

    func testStagesThatAreNotRequestedAreAbsent() async throws {
        let night = try await client().sleeps.get(environment("VITALWIRE_SLEEP_ID"))
        XCTAssertNil(night.stages)
        XCTAssertFalse(night.stagesIsNull)
    }

    func testAPictureOfAMealIsUploaded() async throws {
        // A PNG picture of one pixel.
        let image = try XCTUnwrap(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        // Bytes after the end of the picture count as metadata.
        XCTAssertEqual(try Picture.withoutMetadata(image + Data("Rosa Quintero".utf8)), image)
        XCTAssertThrowsError(try Picture.withoutMetadata(Data("GIF89a".utf8))) { error in
            XCTAssertEqual((error as? VitalwireError)?.kind, .invalidArgument)
        }
        let record = try await client().nutritionRecords.upload(body: image, waitOnProcess: true)
        XCTAssertEqual(record.status, .completed)
        let fields = try XCTUnwrap(record.nutritionalFields)
        // Defaults to four fields without include_nutrition_fields.
        XCTAssertEqual(Set(fields.values.keys), [.carbohydrateG, .energyKcal, .fatTotalG, .proteinG])
        XCTAssertEqual(fields[.energyKcal], fields.energyKcal)
    }

    func testAnErrorHasProblemDetails() async throws {
        let id = "00000000-0000-4000-8000-000000000000"
        do {
            _ = try await client().sleeps.get(id)
            XCTFail("an unknown record was found")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .notFound)
            XCTAssertEqual(error.code, 1201)
            XCTAssertEqual(error.status, 404)
            XCTAssertEqual(error.problem?.status, 404)
            XCTAssertFalse("\(error) \(String(reflecting: error))".contains(id))
        }
    }

    func testAWaitReportsItsProgressAndReturnsTheRecord() async throws {
        let image = try XCTUnwrap(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        let client = try client()
        var (ids, ended): (Set<String>, NutritionRecord?) = ([], nil)
        let quick = WaitOptions(interval: .init(.milliseconds(10), upTo: .milliseconds(20)))
        for try await state in client.nutritionRecords.uploadAndWait(body: image, wait: quick) {
            switch state {
            case .progress(let progress): progress.recordID.map { _ = ids.insert($0) }
            case .ended(let record): ended = record
            }
        }
        let record = try XCTUnwrap(ended)
        XCTAssertEqual(ids, [record.id])
        XCTAssertEqual(record.status, .completed)
        let again = try await client.nutritionRecords.waitFor(record.id).record()
        XCTAssertEqual(again.id, record.id)
    }

    func testDescriptionsHaveNoValues() async throws {
        let id = try environment("VITALWIRE_SLEEP_ID")
        let response = try await client().withResponse { try await $0.sleeps.get(id, include: [.stages, .samples]) }
        let night = response.value
        var dumped = ""
        dump(response, to: &dumped)
        dump(night, to: &dumped)
        dump(night.stages, to: &dumped)
        dump(night.sleepDate, to: &dumped)
        dump(night.startAtTimestamp, to: &dumped)
        let texts = "\(response) \(night) \(String(describing: night.metrics)) \([night]) \(dumped)"
        let date = try XCTUnwrap(night.sleepDate)
        for canary in [id, "deep", date.description, "\(night.startAtTimestamp.seconds)"] {
            XCTAssertFalse(texts.contains(canary), canary)
        }
        XCTAssertFalse(dumped.contains("\(date.year)"))
    }

    func testSecretsAreNotShown() throws {
        let canary = "CANARY-5d1e"
        let token = AccessToken(canary)
        let url = try XCTUnwrap(URL(string: "https://\(canary).example"))
        let options = ClientOptions(
            baseURL: url, token: canary, care: .init(baseURL: url, token: canary), network: .init(clientCertificate: .pem(canary)))
        let call = CallOptions(headers: ["X-Private": canary], token: canary)
        let client = try VitalwireClient(ClientOptions(baseURL: url, token: canary))
        var shown = "\(token) \(options) \(call) \(client) \([token]) \(String(reflecting: [options]))"
        dump(token, to: &shown)
        dump(options, to: &shown)
        dump((options.health, options.care, options.network, options.network.clientCertificate), to: &shown)
        dump(call, to: &shown)
        dump(client, to: &shown)
        XCTAssertFalse(shown.contains(canary))
        XCTAssertTrue(shown.contains("AccessToken(..) ClientOptions(..) CallOptions(..) VitalwireClient(..)"))
    }

    func testTheErrorOfATokenClosureIsTheUnderlyingError() async throws {
        struct SignedOut: Error {}
        let url = try XCTUnwrap(URL(string: environment("VITALWIRE_BASE_URL")))
        let client = try VitalwireClient(ClientOptions(baseURL: url), tokenProvider: { _ in throw SignedOut() })
        do {
            _ = try await client.user.info()
            XCTFail("there is no token")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .authentication)
            XCTAssertTrue(error.underlying is SignedOut)
        }
    }

    func testACancelledTaskAbortsItsCall() async throws {
        // This port never responds, so the call ends only when it is cancelled.
        let hole = try BlackHole()
        let url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(hole.port)"))
        let client = try VitalwireClient(ClientOptions(baseURL: url, token: "t"))
        let started = Date()
        let task = Task { try await client.user.info() }
        while !hole.isAsked, Date().timeIntervalSince(started) < 20 { try await Task.sleep(nanoseconds: 10_000_000) }
        let cancelled = Date()
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\(type(of: $0))") }
        // Shorter than the timeout of the call, 30 seconds.
        XCTAssertLessThan(Date().timeIntervalSince(cancelled), 15)
        // The client still exists, so only the cancellation can have closed the connection.
        XCTAssertTrue(withExtendedLifetime(client) { hole.firstConnectionEnds() })
    }
}
