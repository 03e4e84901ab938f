import Foundation
@testable import Vitalwire
import VitalwireFFI
import XCTest

/// Tests the sentences of errors for people.
final class ErrorSentenceTests: XCTestCase {
    private func error(
        _ kind: Vitalwire.ErrorKind, _ text: String = "", retryAfter: UInt64? = nil, mayHaveTakenEffect: Bool = false,
        isTransient: Bool = false, underlying: (any Error)? = nil
    ) -> VitalwireError {
        let info = ErrorInfo(
            text: text, kind: .service, code: UInt16(kind.rawValue), retryAfterMs: retryAfter, attempts: 1,
            mayHaveTakenEffect: mayHaveTakenEffect, isTransient: isTransient)
        return VitalwireError(info, underlying: underlying)
    }

    /// Every sentence for people ends with a period and has no word of the API.
    func testEveryKindHasSentencesForPeople() {
        for kind in Vitalwire.ErrorKind.allKnown + [Vitalwire.ErrorKind(rawValue: 9_999)] {
            let failed = error(kind, "\(kind): status 404, GET /v3/queries/sleeps/{sleep_id}, request id r-1")
            let sentences = [failed.localizedDescription, failed.recoverySuggestion].compactMap { $0 }
            XCTAssertEqual(sentences.count, kind == .cancelled ? 1 : 2, "\(kind)")
            for sentence in sentences {
                XCTAssertTrue(sentence.hasSuffix("."), sentence)
                for word in ["/v3", "404", "r-1", "nil", "_", ":", ".swift"] { XCTAssertFalse(sentence.contains(word), sentence) }
            }
            XCTAssertEqual(failed.errorDescription, failed.localizedDescription)
            XCTAssertNotEqual(failed.localizedDescription, failed.description)
        }
    }

    func testTheSuggestionFollowsTheError() {
        let delays: [(UInt64?, String)] = [
            (nil, "Try again later."), (200, "Try again in 1 second."), (90_000, "Try again in 90 seconds."),
            (119_001, "Try again in 2 minutes."), (121_000, "Try again in 3 minutes."), (3_600_000, "Try again in 60 minutes."),
        ]
        for (delay, sentence) in delays {
            XCTAssertEqual(error(.rateLimited, retryAfter: delay).recoverySuggestion, sentence)
            XCTAssertEqual(error(.service, retryAfter: delay).recoverySuggestion, sentence)
        }
        let check = "Your change may have been saved. Check that before you try again."
        XCTAssertEqual(error(.service, retryAfter: 1_000, mayHaveTakenEffect: true).recoverySuggestion, check)
        XCTAssertEqual(error(.transport, isTransient: true).recoverySuggestion, "Check your internet connection and try again.")
        let certificate = "Update the app. If that does not help, contact its support."
        XCTAssertEqual(error(.transport).recoverySuggestion, certificate)
        let failed = error(.authentication, underlying: CancellationError())
        XCTAssertEqual(failed.localizedDescription, "The app could not sign in to the health data service.")
        XCTAssertEqual(failed.recoverySuggestion, "Check your internet connection, or sign in again.")
        XCTAssertEqual(error(.authentication).recoverySuggestion, "Sign in again.")
    }
}
