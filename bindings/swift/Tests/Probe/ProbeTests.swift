import Foundation
import VitalwireFFI
import XCTest

/// Tests conversions between Swift and the native library. `cargo xtask test` builds the library with the probe.
final class ProbeTests: XCTestCase {
    private let canary = "canary-7f3a"

    func testPlainValuesAreConvertedBothWays() {
        XCTAssertTrue(probeBoolean(value: true))
        XCTAssertFalse(probeBoolean(value: false))
        for integer in [0, -1, 1 << 53 + 1, Int64.max, .min] {
            XCTAssertEqual(probeInteger(value: integer), integer)
        }
        for number in [0, -0.0, 0.1, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .nan] {
            XCTAssertEqual(probeNumber(value: number).bitPattern, number.bitPattern)
        }
    }

    func testTextsAreConvertedBothWays() {
        let texts = ["", "a\0b", "é e\u{301} \u{202e} 👩‍👩‍👧 \u{10ffff}", String(repeating: "x", count: 1 << 20)]
        for text in texts {
            // Compare bytes, because Swift considers some different texts equal.
            XCTAssertEqual(Array(probeText(value: text).utf8), Array(text.utf8))
            XCTAssertEqual(probeOptional(value: text), text)
        }
        XCTAssertNil(probeOptional(value: nil))
        XCTAssertEqual(probeTexts(value: texts), texts)
        XCTAssertEqual(probeTexts(value: []), [])
    }

    func testBytesAndMapsAreConvertedBothWays() {
        for bytes in [Data(), Data(0...255), Data(count: 1 << 20)] {
            XCTAssertEqual(probeBytes(value: bytes), bytes)
        }
        let numbers = ["": 0, "steps": 12.5, "é": -1, "big": 1e300]
        XCTAssertEqual(probeMap(value: numbers), numbers)
        XCTAssertEqual(probeMap(value: [:]), [:])
    }

    func testSeriesAreConvertedBothWays() {
        // Little endian, eight bytes per number: -0.5, 0.1, 1e300.
        let numbers = [-0.5, 0.1, 1e300]
        let series = probeNumbers()
        XCTAssertEqual(series, numbers.reduce(into: Data()) { bytes, number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        })
        XCTAssertEqual(probeSeries(value: series), series)
    }

    func testOpenSetsAreConvertedBothWays() {
        XCTAssertEqual(probeOpen(value: "steps"), "steps")
        XCTAssertEqual(probeOpen(value: "not known yet"), "not known yet")
    }

    func testTimesAreConvertedBothWays() throws {
        for (seconds, nanoseconds) in [(0, 0), (-1, 999_999_999), (951_782_400, 1), (-62_135_596_800, 0), (253_402_207_199, 5)] {
            let instant = Timestamp(seconds: Int64(seconds), nanoseconds: UInt32(nanoseconds))
            XCTAssertEqual(try probeTimestamp(value: instant), instant)
        }
        for date in [CalendarDate(year: 1, month: 1, day: 1), .init(year: 2024, month: 2, day: 29), .init(year: 9999, month: 12, day: 31)] {
            XCTAssertEqual(try probeDate(value: date), date)
        }
    }

    func testInvalidTimesAreRejected() {
        let instants = [Timestamp(seconds: 0, nanoseconds: 1_000_000_000), Timestamp(seconds: .max, nanoseconds: 0)]
        for instant in instants {
            expectError(.invalidArgument, "value") { _ = try probeTimestamp(value: instant) }
        }
        for date in [CalendarDate(year: 2023, month: 2, day: 29), .init(year: 2023, month: 0, day: 1)] {
            expectError(.invalidArgument, "value") { _ = try probeDate(value: date) }
        }
    }

    func testEachKindOfErrorIsThrown() {
        // Numbers of the error kinds, as in the table of the errors documentation.
        let kinds: [UInt16: ErrorKind] = [
            1001: .configuration, 1002: .invalidArgument, 1101: .authentication, 1102: .permission, 1201: .notFound,
            1202: .invalidRequest, 1203: .tooLarge, 1301: .rateLimited, 1302: .service, 1303: .unexpectedStatus, 1401: .timeout,
            1402: .transport, 1501: .decode, 1502: .signature, 1601: .cancelled, 1602: .closed, 1901: .`internal`,
        ]
        for (code, kind) in kinds {
            let info = expectError(kind, nil) { try probeError(code: code) }
            XCTAssertEqual(info?.code, code)
            XCTAssertEqual(info?.text.isEmpty, false)
        }
        for code in (UInt16(900)..<2100) where kinds[code] == nil {
            XCTAssertNoThrow(try probeError(code: code), "\(code)")
        }
    }

    func testAPanicIsAnInternalErrorWithoutItsText() async throws {
        let (shown, text) = (Pipe(), canary)
        let before = dup(2)
        dup2(shown.fileHandleForWriting.fileDescriptor, 2)
        let atOnce = expectError(.`internal`, nil) { try probePanic(text: text) }
        let later = await expectError(.`internal`) { try await probePanicLater(text: text) }
        dup2(before, 2)
        close(before)
        try shown.fileHandleForWriting.close()
        let said = String(decoding: try shown.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        XCTAssertEqual(said.components(separatedBy: "vitalwire: internal error").count, 3, said)
        for text in [said, "\(String(describing: atOnce)) \(String(describing: later))", atOnce?.text ?? "", later?.text ?? ""] {
            XCTAssertFalse(text.contains(canary))
        }
        // The library is still usable after a panic.
        let done = try await probeSlow(milliseconds: 1, cancel: nil)
        XCTAssertEqual(done, 1)
    }

    func testSlowCallsDoNotBlockThreads() async throws {
        // Make more calls than the concurrency pool has threads. If calls blocked threads, some calls would start a second later.
        let started = Date()
        try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<64 { group.addTask { try await probeSlow(milliseconds: 1000, cancel: nil) } }
            for try await done in group { XCTAssertEqual(done, 1000) }
        }
        let took = Date().timeIntervalSince(started)
        XCTAssertGreaterThanOrEqual(took, 1)
        XCTAssertLessThan(took, 10)
    }

    func testASlowCallEndsWhenItIsCancelled() async {
        let (cancel, started) = (CancelToken(), Date())
        async let info = expectError(.cancelled) { _ = try await probeSlow(milliseconds: 60_000, cancel: cancel) }
        try? await Task.sleep(nanoseconds: 50_000_000)
        cancel.cancel()
        let code = await info?.code
        XCTAssertEqual(code, 1601)
        XCTAssertLessThan(Date().timeIntervalSince(started), 30)
    }
}

/// Checks that a closure throws an error of this kind, and returns the details of the error.
@discardableResult
private func expectError(_ kind: ErrorKind, _ argument: String?, _ work: () throws -> Void) -> ErrorInfo? {
    do {
        try work()
        XCTFail("no error where \(kind) is expected")
    } catch let ApiError.Failed(info) {
        XCTAssertEqual(info.kind, kind)
        XCTAssertEqual(info.argument, argument)
        return info
    } catch {
        XCTFail("\(type(of: error))")
    }
    return nil
}

private func expectError(_ kind: ErrorKind, _ work: @Sendable () async throws -> Void) async -> ErrorInfo? {
    do {
        try await work()
        XCTFail("no error where \(kind) is expected")
        return nil
    } catch {
        return expectError(kind, nil) { throw error }
    }
}
