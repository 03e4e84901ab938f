#if canImport(UIKit) && canImport(BackgroundTasks)
    // --8<-- [start:program]
    import BackgroundTasks
    import Foundation

    /// The background task that updates the copy.
    enum BackgroundSync {
        /// Identifier of the task, which is also in Info.plist.
        static let task = "org.example.nights.sync"

        /// Requests a run in 6 hours or later. The system decides when to run it, and whether to run it at all.
        static func schedule() throws {
            let request = BGAppRefreshTaskRequest(identifier: task)
            request.earliestBeginDate = Date(timeIntervalSinceNow: 6 * 60 * 60)
            try BGTaskScheduler.shared.submit(request)
        }

        /// Updates the copy. The system cancels the task when its time expires.
        static func run(_ sync: CopySync) async {
            // A request is for one run. The next one is requested first, because the system may end this run.
            try? schedule()
            _ = await sync.update()
        }
    }
    // --8<-- [end:program]
#endif
