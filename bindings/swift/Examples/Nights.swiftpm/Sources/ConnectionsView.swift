#if canImport(SwiftUI)
    // --8<-- [start:program]
    import SwiftUI
    import Vitalwire
    import VitalwireConsent

    /// A screen on which the user connects providers.
    struct ConnectionsView: View {
        @StateObject private var model: ConsentModel

        init(client: VitalwireClient) {
            let redirect = "nights://app.example.org/connected"
            _model = StateObject(wrappedValue: ConsentModel(client: client, redirectURI: redirect))
        }

        var body: some View {
            NavigationStack { ConsentView(model).navigationTitle("Connections") }
        }
    }
    // --8<-- [end:program]
#endif
