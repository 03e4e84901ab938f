import Foundation
import Vitalwire
import VitalwireTesting

// --8<-- [start:client]
/// Returns a client of the sandbox that the environment variables name, or a client with mock responses.
func sampleClient(_ environment: [String: String]) throws -> VitalwireClient {
    guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { return .mock(.samples) }
    #if DEBUG
        // An iPhone reaches a sandbox on a Mac over plain HTTP.
        let allowPlainHttp = true
    #else
        let allowPlainHttp = false
    #endif
    let network = ClientOptions.Network(allowPlainHttp: allowPlainHttp)
    return try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"], network: network))
}
// --8<-- [end:client]

extension CopySync.Outcome {
    /// Sentence for the user.
    var text: String {
        switch self {
        case .success: "Up to date"
        case .retry: "The service cannot be reached. The update is repeated later."
        case .failure: "The update has failed. Try again later, or sign in again."
        }
    }
}

#if canImport(UIKit) && canImport(BackgroundTasks)
    import SwiftUI

    // --8<-- [start:app]
    @main struct NightsApp: App {
        private let client: VitalwireClient
        private let sync: CopySync

        init() {
            let files = FileManager.default
            guard let client = try? sampleClient(ProcessInfo.processInfo.environment),
                let folder = try? files.url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
            else { fatalError("the base URL is invalid, or there is no folder for files") }
            self.client = client
            let file = folder.appendingPathComponent("records.json")
            sync = CopySync(file: file, client: client, user: "user-7", secret: KeychainItem.syncSecret)
        }

        var body: some Scene {
            WindowGroup {
                TabView {
                    DaysView(sync: sync).tabItem { Text("Days") }
                    ConnectionsView(client: client).tabItem { Text("Connections") }
                }
            }
            .backgroundTask(.appRefresh(BackgroundSync.task)) { await BackgroundSync.run(sync) }
        }
    }
    // --8<-- [end:app]

    /// A view of the days of the copy. It shows the stored days at once, and updates the copy meanwhile.
    struct DaysView: View {
        let sync: CopySync
        @State private var days: [RecordCopy.Record] = []
        @State private var status = "Updating"

        var body: some View {
            List {
                Text(status)
                ForEach(days, id: \.id) { day in Text("\(day.id) \(day.jsonRows.joined())") }
            }
            .task {
                try? BackgroundSync.schedule()
                days = (try? await sync.records()) ?? []
                status = await sync.update().text
                days = (try? await sync.records()) ?? []
            }
        }
    }
#endif
