#if canImport(UIKit) && canImport(BackgroundTasks)
    // --8<-- [start:program]
    import BackgroundTasks
    import Foundation
    import SwiftUI
    import Vitalwire

    /// Reads statistics in the background, and continues where the last run was interrupted.
    actor StepsReader {
        /// Identifier of the task, listed in Info.plist as `BGTaskSchedulerPermittedIdentifiers`.
        static let task = "org.example.nights.steps"

        private let client: VitalwireClient
        private let userID: String
        private let days: ClosedRange<CalendarDate>

        init(client: VitalwireClient, userID: String, days: ClosedRange<CalendarDate>) {
            (self.client, self.userID, self.days) = (client, userID, days)
        }

        /// Reads the remaining parts. The system cancels the task when its time expires.
        func read(store: @Sendable (DailyStatistics) throws -> Void) async {
            let kept = UserDefaults.standard.string(forKey: Self.task)
            let range = RangeOptions(resume: kept.flatMap { try? ResumeToken($0) }, resumeKey: userID)
            do {
                for try await part in client.statistics.daily(days, of: [.steps], partLength: .days(30), range: range) {
                    try store(part.response)
                    UserDefaults.standard.set(part.resumeToken?.text, forKey: Self.task)
                }
            } catch {
                if (error as? VitalwireError)?.kind == .invalidArgument {
                    // The stored token belongs to other days or another user.
                    UserDefaults.standard.removeObject(forKey: Self.task)
                }
                // Interrupted or failed: the next run reads the remaining parts.
                try? Self.schedule()
            }
        }

        /// Requests a run in an hour or later.
        static func schedule() throws {
            let request = BGAppRefreshTaskRequest(identifier: task)
            request.earliestBeginDate = Date(timeIntervalSinceNow: 60 * 60)
            try BGTaskScheduler.shared.submit(request)
        }
    }

    /// Returns the scene of an app with the background task, for the `body` of your `App`.
    @MainActor func stepsScene(reader: StepsReader, store: @escaping @Sendable (DailyStatistics) throws -> Void) -> some Scene {
        WindowGroup { Text("Steps") }
            .backgroundTask(.appRefresh(StepsReader.task)) { await reader.read(store: store) }
    }
    // --8<-- [end:program]
#endif
