// Uploads a picture of a meal and a lab report, and waits for their analyses.

import Foundation
import Vitalwire

let environment = ProcessInfo.processInfo.environment
guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { fatalError("set VITALWIRE_BASE_URL") }
let client = try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"]))

/// Uploads a picture and returns its analysed meal.
func meal(of picture: URL, with client: VitalwireClient) async throws -> NutritionRecord {
    let meals = client.nutritionRecords
    do {
        let wait = WaitOptions(timeout: .seconds(120))
        return try await meals.uploadAndWait(.file(picture), removingMetadata: true, wait: wait).record()
    } catch let error as VitalwireError {
        // With an id, the picture was uploaded: wait for its record again.
        guard let id = error.recordID else { throw error }
        return try await meals.waitFor(id).record()
    }
}

let lunch = try await meal(of: URL(fileURLWithPath: "lunch.png"), with: client)
if lunch.status == .completed {
    print(lunch.dishName ?? "a meal", lunch.nutritionalFields?.energyKcal.map { "\(Int($0)) kcal" } ?? "unknown energy")
} else {
    print("the service cannot analyse the picture")
}

for try await state in client.labReports.uploadAndWait(.file(URL(fileURLWithPath: "report.pdf"))) {
    switch state {
    case .progress(let progress): if progress.polls == 0 { print("the report is uploaded") }
    case .ended(let report):
        for result in (report.sections ?? []).flatMap({ $0.results ?? [] }) {
            // Some results have a text, such as "negative", instead of a number.
            let value = result.value.map { "\($0)" } ?? result.valueText ?? "unknown"
            print(result.standardTestName ?? result.originalTestName ?? "a test", value, result.originalUnitName ?? "")
        }
    }
}
