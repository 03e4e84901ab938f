#if canImport(SwiftUI) && canImport(AuthenticationServices)
    import Accessibility
    import AuthenticationServices
    import Foundation
    import SwiftUI
    import Vitalwire

    /// A list of providers that the user can connect. It opens the consent page in the system's web session, an
    /// `ASWebAuthenticationSession`.
    ///
    /// An `https` redirect URL requires iOS 17.4 or macOS 14.4, and its domain as an associated domain of the application. A scheme of the
    /// application works on all versions.
    @available(iOS 16.4, macOS 13.3, *)
    public struct ConsentView: View {
        @ObservedObject private var model: ConsentModel
        @Environment(\.webAuthenticationSession) private var session
        private let texts: ConsentTexts

        /// Creates a view of a model. The application keeps the model, for example as a `@StateObject`.
        public init(_ model: ConsentModel, texts: ConsentTexts = ConsentTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The list.
        public var body: some View {
            List {
                if let sentence = texts.sentence(model.phase) {
                    Section { Message(sentence: sentence, model: model, texts: texts) }
                }
                ForEach(model.providers) { provider in
                    if provider.status == .connected {
                        Row(provider: provider, action: nil, texts: texts).accessibilityElement(children: .combine)
                    } else {
                        Button {
                            Task { await model.connect(provider.slug, open: open) }
                        } label: {
                            Row(provider: provider, action: provider.status == .broken ? texts.reconnect : texts.connect, texts: texts)
                        }
                        .disabled(model.isWaiting)
                    }
                }
            }
            // The view may appear again when the consent page closes. Then keep the result of the connection.
            .task { if !model.phase.isResult { await model.load() } }
            .refreshable { await model.load() }
        }

        private func open(_ page: URL) async throws -> URL {
            guard let redirect = URLComponents(string: model.redirectURI), let scheme = redirect.scheme else { throw URLError(.badURL) }
            let isHTTPS = scheme.lowercased() == "https"
            do {
                if #available(iOS 17.4, macOS 14.4, *) {
                    let callback: ASWebAuthenticationSession.Callback =
                        isHTTPS ? .https(host: redirect.host ?? "", path: redirect.path) : .customScheme(scheme)
                    return try await session.authenticate(using: page, callback: callback, additionalHeaderFields: [:])
                }
                guard !isHTTPS else { throw URLError(.unsupportedURL) }
                return try await session.authenticate(using: page, callbackURLScheme: scheme)
            } catch let error as ASWebAuthenticationSessionError where error.code == .canceledLogin {
                throw CancellationError()
            }
        }
    }

    /// The sentence of the current step, with its button. VoiceOver reads a new sentence aloud.
    @available(iOS 16.4, macOS 13.3, *)
    private struct Message: View {
        let sentence: String
        let model: ConsentModel
        let texts: ConsentTexts

        var body: some View {
            Text(sentence).task(id: sentence) {
                if #available(iOS 17, macOS 14, *), model.phase != .loading { AccessibilityNotification.Announcement(sentence).post() }
            }
            if model.isWaiting {
                Button(texts.cancel) { Task { await model.cancel() } }
            } else if case .unavailable = model.phase {
                Button(texts.retry) { Task { await model.load() } }
            }
        }
    }

    /// Name and state of a provider. The state has a text, not only a symbol. Large text moves the action below.
    @available(iOS 16.4, macOS 13.3, *)
    private struct Row: View {
        let provider: ConsentProvider
        let action: String?
        let texts: ConsentTexts

        var body: some View {
            ViewThatFits {
                HStack { content }
                VStack(alignment: .leading) { content }
            }
        }

        @ViewBuilder private var content: some View {
            VStack(alignment: .leading) {
                Text(texts.name(provider.slug)).foregroundStyle(Color.primary)
                HStack {
                    Image(systemName: symbol).accessibilityHidden(true)
                    Text(texts.status(provider.status))
                }
                .font(.footnote)
                .foregroundStyle(Color.secondary)
            }
            Spacer()
            if let action { Text(action) }
        }

        private var symbol: String {
            switch provider.status {
            case .notConnected: "circle"
            case .connected: "checkmark.circle.fill"
            case .broken: "exclamationmark.triangle"
            }
        }
    }
#endif
