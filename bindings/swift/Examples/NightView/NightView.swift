// A night as a chart, and the upload of a meal, in SwiftUI. Compiled only with Apple's frameworks.

#if canImport(SwiftUI) && canImport(Charts)
    // --8<-- [start:view]
    import Charts
    import SwiftUI
    import Vitalwire
    import VitalwireTesting

    /// A view of the stages of a night. The view depends on a protocol, so that previews and tests can pass a fake.
    struct NightView: View {
        let sleeps: any SleepsProtocol
        let id: String
        @State private var night: Result<SleepRecord, any Error>?

        var body: some View {
            Group {
                switch night {
                case .success(let night): StageChart(stages: night.stages ?? [])
                case .failure(let error): FailureView(error: error)
                case nil: ProgressView("Reading the night")
                }
            }
            .task(id: id) {
                do {
                    night = .success(try await sleeps.get(id, include: [.stages]))
                } catch is CancellationError {
                    // The view has disappeared, so no error is shown.
                } catch {
                    night = .failure(error)
                }
            }
        }
    }

    struct StageChart: View {
        let stages: [SleepStage]

        var body: some View {
            Chart(Array(stages.enumerated()), id: \.offset) { _, stage in
                if let start = stage.startAt, let end = stage.endAt {
                    BarMark(xStart: .value("From", start), xEnd: .value("To", end), y: .value("Stage", stage.stage?.rawValue ?? "unknown"))
                }
            }
        }
    }

    /// A view that explains an error to the user.
    struct FailureView: View {
        let error: any Error

        var body: some View { Text(text) }

        private var text: String {
            let error = error as? VitalwireError
            // A token closure that cannot reach your server is no reason to sign in again.
            let isOffline = error?.underlying.map { ($0 as? URLError)?.code != .userAuthenticationRequired } ?? false
            if error?.isTransient == true || isOffline { return "The service cannot be reached. Try again later." }
            return error?.kind == .authentication ? "Sign in again." : "The night cannot be shown."
        }
    }

    #Preview("Night") { NightView(sleeps: VitalwireClient.mock(.samples).sleeps, id: "any") }

    // --8<-- [end:view]

    /// A view that uploads a picture of a meal and shows the progress of the analysis.
    struct MealUploadView: View {
        let meals: any NutritionRecordsProtocol
        let picture: Data
        @State private var state = "Not sent"
        @State private var upload: Task<Void, Never>?

        var body: some View {
            VStack {
                Text(state)
                Button("Upload") { upload = Task { await send() } }.disabled(upload != nil)
                Button("Cancel") { upload?.cancel() }.disabled(upload == nil)
            }
        }

        private func send() async {
            defer { upload = nil }
            do {
                // The location of the picture is not sent.
                for try await step in meals.uploadAndWait(.data(picture), removingMetadata: true, consumedAt: .now) {
                    switch step {
                    case .progress(let progress): state = "Being analysed for \(progress.elapsed.components.seconds) s"
                    case .ended(let record): state = record.status == .completed ? "Done" : "Not recognised"
                    }
                }
            } catch {
                state = Self.text(error as? VitalwireError)
            }
        }

        private static func text(_ error: VitalwireError?) -> String {
            if error?.recordID != nil { return "Sent; its analysis is read later" }
            // A second upload could create the meal twice.
            return error?.mayHaveTakenEffect == true ? "Perhaps sent: look at your meals first" : "Not sent"
        }

        /// A PNG picture of one pixel.
        static let sample = Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==") ?? Data()
    }

    #Preview("Slow") { NightView(sleeps: VitalwireClient.mock(.delayed(.seconds(2))).sleeps, id: "any") }
    #Preview("Rate limited") { NightView(sleeps: VitalwireClient.mock(.failing(.rateLimited)).sleeps, id: "any") }
    #Preview("Meal") { MealUploadView(meals: VitalwireClient.mock(.samples).nutritionRecords, picture: MealUploadView.sample) }
#endif
