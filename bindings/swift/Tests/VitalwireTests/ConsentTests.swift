import Foundation
import Vitalwire
import VitalwireConsent
import VitalwireSandbox
import VitalwireTesting
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests the model of the consent screen: the whole flow against the sandbox, and failures with mock responses.
final class ConsentTests: XCTestCase {
    func testTheUserAgrees() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            XCTAssertEqual(model.phase, .loading)
            await model.load()
            XCTAssertEqual(model.phase, .ready)
            XCTAssertEqual(model.providers.map(\.slug), [.luna, .polar])
            XCTAssertEqual(status(model, .luna), .notConnected)
            await model.connect(.luna) { page in
                XCTAssertEqual(model.phase, .waiting(.luna))
                return try await Browser.answer("allow", on: page)
            }
            XCTAssertEqual(model.phase, .connected(.luna))
            XCTAssertTrue(model.phase.isResult)
            XCTAssertEqual(status(model, .luna), .connected)
            await model.load()
            XCTAssertEqual(model.phase, .ready)
            XCTAssertFalse(model.phase.isResult)
        }
    }

    func testTheUserRefusesAndTheProviderFails() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            for answer in ["refuse", "fail"] {
                await model.connect(.luna) { try await Browser.answer(answer, on: $0) }
                XCTAssertEqual(model.phase, .refused(.luna))
            }
            await model.load()
            XCTAssertEqual(status(model, .luna), .notConnected)
        }
    }

    func testABrokenConnectionIsShownAndRepaired() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            await model.connect(.luna) { page in
                let redirect = try await Browser.answer("allow", on: page)
                try await Browser.post(["user_id": "person-1", "provider_slug": "luna", "state": "broken"], to: "integrations", of: sandbox)
                return redirect
            }
            XCTAssertEqual(model.phase, .broken(.luna))
            XCTAssertEqual(status(model, .luna), .broken)
            await model.connect(.luna) { try await Browser.answer("allow", on: $0) }
            XCTAssertEqual(model.phase, .connected(.luna))
        }
    }

    func testAUserWhoClosesThePageSeesTheList() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            await model.connect(.luna) { _ in throw CancellationError() }
            XCTAssertEqual(model.phase, .ready)
            // The user agrees, but closes the page before the redirect.
            await model.connect(.luna) { page in
                _ = try await Browser.answer("allow", on: page)
                throw CancellationError()
            }
            XCTAssertEqual(model.phase, .ready)
            XCTAssertEqual(status(model, .luna), .connected)
        }
    }

    func testASecondTapHasNoEffect() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            await model.connect(.luna) { page in
                await model.connect(.polar) { _ in
                    XCTFail("a second page was opened")
                    throw CancellationError()
                }
                await model.load()
                XCTAssertEqual(model.phase, .waiting(.luna))
                return try await Browser.answer("allow", on: page)
            }
            XCTAssertEqual(model.phase, .connected(.luna))
        }
    }

    func testARedirectOfAnotherConnectionIsRejected() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            let seen = ValueRecorder<URL>()
            await model.connect(.luna) { page in
                seen.add(try await Browser.answer("allow", on: page))
                return try XCTUnwrap(seen.all.first)
            }
            let first = try XCTUnwrap(seen.all.first)
            let repeated = await model.receive(first)
            XCTAssertFalse(repeated, "a state is used once")
            XCTAssertEqual(model.phase, .connected(.luna))
            // The state of another connection, the right state with another provider, and no state.
            await model.connect(.polar) { _ in first }
            XCTAssertEqual(model.phase, .failed(.polar, .otherRedirect))
            await model.connect(.polar) { page in
                let redirect = try await Browser.answer("refuse", on: page).absoluteString
                return try XCTUnwrap(URL(string: redirect.replacingOccurrences(of: "=polar", with: "=luna")))
            }
            XCTAssertEqual(model.phase, .failed(.polar, .otherRedirect))
            await model.connect(.polar) { _ in try XCTUnwrap(URL(string: "nights://app.example.org/connected?provider_slug=polar")) }
            XCTAssertEqual(model.phase, .failed(.polar, .otherRedirect))
            await model.load()
            XCTAssertEqual(status(model, .polar), .notConnected)
        }
    }

    func testAForgedLinkDoesNotEndTheConnection() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            await model.connect(.luna) { page in
                let forged = try XCTUnwrap(URL(string: "nights://app.example.org/connected?state=x&provider_slug=luna"))
                let isReceived = await model.receive(forged)
                XCTAssertFalse(isReceived)
                XCTAssertEqual(model.phase, .waiting(.luna))
                return try await Browser.answer("allow", on: page)
            }
            XCTAssertEqual(model.phase, .connected(.luna))
        }
    }

    func testARedirectMayArriveAsALink() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            await model.connect(.luna) { page in
                // A redirect without `provider_slug` is accepted if its state matches.
                let redirect = try await Browser.answer("allow", on: page).absoluteString
                let link = redirect.replacingOccurrences(of: "&provider_slug=luna", with: "")
                let isReceived = await model.receive(try XCTUnwrap(URL(string: link)))
                XCTAssertTrue(isReceived)
                throw CancellationError()
            }
            XCTAssertEqual(model.phase, .connected(.luna))
        }
    }

    func testALostSessionCanBeCancelled() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client())
            await model.connect(.luna) { page in
                await model.cancel()
                XCTAssertEqual(model.phase, .ready)
                return try await Browser.answer("refuse", on: page)
            }
            XCTAssertEqual(model.phase, .ready, "a late redirect is ignored")
            await model.connect(.luna) { try await Browser.answer("allow", on: $0) }
            XCTAssertEqual(model.phase, .connected(.luna))
        }
    }

    func testAConnectionCanBeCancelledBeforeItsPageOpens() async throws {
        try await onMainActor {
            let responses = MockResponses.samples
            responses.clear(.integrationsInitURL)
            let slow = MockResponse(json: #"{"path": "https://app.example.org/consent"}"#, delay: .milliseconds(300))
            responses.add(slow, to: .integrationsInitURL)
            let model = createModel(.mock(responses))
            let connection = Task {
                await model.connect(.luna) { _ in
                    XCTFail("a page was opened")
                    throw CancellationError()
                }
            }
            while !model.isWaiting { await Task.yield() }
            await model.cancel()
            await connection.value
            XCTAssertEqual(model.phase, .ready)
        }
    }

    func testAConnectionIsOnlyShownOnceTheServiceListsIt() async throws {
        try await withSandbox { sandbox in
            let model = createModel(try sandbox.client { $0.retry.maxRetries = 0 })
            await model.connect(.luna) { page in
                let redirect = try await Browser.answer("allow", on: page)
                try await Browser.post(["fault": "status; status=503; operation=get_user_info"], to: "faults", of: sandbox)
                return redirect
            }
            XCTAssertEqual(model.phase, .failed(.luna, .unconfirmed))
            XCTAssertEqual((model.lastError as? VitalwireError)?.kind, .service)
            await model.load()
            XCTAssertEqual(status(model, .luna), .connected)
        }
    }

    func testAListThatCannotBeReadCanBeReadAgain() async throws {
        try await onMainActor {
            let failures = [(Failure.transport, ConsentFailure.unavailable), (.authentication, .signIn), (.notFound, .unavailable)]
            for (failure, expected) in failures {
                let responses = MockResponses.samples
                responses.clear(.userInfo)
                responses.add(failure.response, to: .userInfo)
                let model = createModel(.mock(responses, options: ClientOptions(retry: .init(maxRetries: 0))))
                await model.load()
                XCTAssertEqual(model.phase, .unavailable(expected))
                XCTAssertTrue(model.providers.isEmpty, "nothing is known of the providers")
                responses.clear(.userInfo)
                responses.add(MockResponse(json: #"{"integrated_providers": null}"#), to: .userInfo)
                await model.load()
                XCTAssertEqual(model.phase, .ready)
            }
        }
    }

    func testANetworkErrorInTheTokenClosureDoesNotRequireASignIn() async throws {
        try await withSandbox { sandbox in
            let failures: [(any Error, ConsentFailure)] = [(URLError(.timedOut), .unavailable), (CocoaError(.userCancelled), .signIn)]
            for (error, failure) in failures {
                let options = ClientOptions(baseURL: try XCTUnwrap(sandbox.options.health?.baseURL))
                let model = createModel(try VitalwireClient(options, tokenProvider: { _ in throw error }))
                await model.load()
                XCTAssertEqual(model.phase, .unavailable(failure))
            }
        }
    }

    func testTheLastOfTwoListsIsShown() async throws {
        try await onMainActor {
            let responses = MockResponses()
            responses.add(MockResponse(json: "{}", delay: .milliseconds(300)), to: .userInfo)
            responses.add(Failure.transport.response, to: .userInfo)
            let model = createModel(.mock(responses, options: ClientOptions(retry: .init(maxRetries: 0))))
            let first = Task { await model.load() }
            while responses.requests.isEmpty { await Task.yield() }
            await model.load()
            await first.value
            XCTAssertEqual(model.phase, .unavailable(.unavailable))
            XCTAssertTrue(model.providers.isEmpty)
        }
    }

    func testACancelledLoadShowsTheStateBeforeTheLoadThatItReplaced() async throws {
        try await onMainActor {
            let responses = MockResponses()
            responses.add(MockResponse(json: "{}"), to: .userInfo)
            for _ in 0..<2 { responses.add(MockResponse(json: "{}", delay: .seconds(60)), to: .userInfo) }
            let model = createModel(.mock(responses))
            await model.load()
            XCTAssertEqual(model.phase, .ready)
            let first = Task { await model.load() }
            while responses.requests.count < 2 { await Task.yield() }
            let second = Task { await model.load() }
            while responses.requests.count < 3 { await Task.yield() }
            XCTAssertEqual(model.phase, .loading)
            for task in [second, first] {
                task.cancel()
                await task.value
                XCTAssertEqual(model.phase, .ready)
            }
        }
    }

    func testAResultAfterACancelIsIgnored() async throws {
        try await onMainActor {
            let responses = MockResponses()
            for _ in 0..<2 { responses.add(MockResponse(json: #"{"path": "https://app.example.org/consent"}"#), to: .integrationsInitURL) }
            responses.add(MockResponse(json: "{}", delay: .milliseconds(300)), to: .userInfo)
            responses.add(MockResponse(json: "{}"), to: .userInfo)
            responses.add(MockResponse(json: #"{"integrated_providers": [{"provider_slug": "luna"}]}"#), to: .userInfo)
            let model = createModel(.mock(responses))
            func redirect() throws -> URL {
                let state = try XCTUnwrap(responses.requests.flatMap(\.query).last { $0.name == "state" }?.value)
                return try XCTUnwrap(URL(string: "nights://app.example.org/connected?state=\(state)&provider_slug=luna"))
            }
            let first = Task { await model.connect(.luna) { _ in try redirect() } }
            // The result of the first connection is being read.
            while !responses.requests.contains(where: { $0.operation == "get_user_info" }) { await Task.yield() }
            await model.cancel()
            await model.connect(.luna) { _ in
                await first.value
                XCTAssertEqual(model.phase, .waiting(.luna))
                return try redirect()
            }
            XCTAssertEqual(model.phase, .connected(.luna))
        }
    }

    func testFailuresOfTheConsentURLAreShown() async throws {
        try await onMainActor {
            let responses = MockResponses()
            let model = createModel(.mock(responses, options: ClientOptions(retry: .init(maxRetries: 0))))
            for (response, expected) in [
                (Failure.service.response, ConsentFailure.unavailable), (Failure.transport.response, .unavailable),
                (Failure.authentication.response, .signIn), (Failure.invalidRequest.response, .rejected),
                (MockResponse(json: #"{"provider_slug": "luna"}"#), .rejected),
                (MockResponse(json: #"{"path": "tel:112"}"#), .rejected), (MockResponse(json: #"{"path": ""}"#), .rejected),
            ] {
                responses.clear(.integrationsInitURL)
                responses.add(response, to: .integrationsInitURL)
                await model.connect(.luna) { _ in
                    XCTFail("a page was opened")
                    throw CancellationError()
                }
                XCTAssertEqual(model.phase, .failed(.luna, expected))
            }
            responses.clear(.integrationsInitURL)
            responses.add(MockResponse(json: #"{"path": "https://app.example.org/consent"}"#), to: .integrationsInitURL)
            await model.connect(.luna) { _ in throw URLError(.unsupportedURL) }
            XCTAssertEqual(model.phase, .failed(.luna, .browser))
            let states = responses.requests.flatMap(\.query).filter { $0.name == "state" }.compactMap(\.value)
            XCTAssertEqual(Set(states).count, 8, "each connection has a state of its own")
        }
    }

    /// Only a user's id makes the difference for `ultrahuman`.
    func testTheDefaultProvidersHaveAConsentPage() async throws {
        try await withSandbox { sandbox in
            let client = try sandbox.client()
            var rejected: Set<ProviderSlug> = []
            for userID in [nil, "someone@example.com"] {
                let model = ConsentModel(client: client, redirectURI: "https://app.example.org/connected", userID: { _ in userID })
                for provider in ProviderSlug.allKnown {
                    await model.connect(provider) { _ in throw URLError(.cancelled) }
                    if model.phase == .failed(provider, .rejected) { rejected.insert(provider) }
                }
                let expected = Set(ProviderSlug.allKnown).subtracting(ConsentModel.defaultProviders)
                XCTAssertEqual(rejected, userID == nil ? expected : expected.subtracting([.ultrahuman]))
                rejected = []
            }
        }
    }

    func testTextsCanBeReplaced() {
        var texts = ConsentTexts()
        XCTAssertEqual(texts.name(.omronEu), "Omron EU")
        XCTAssertEqual(texts.sentence(.waiting(.freestyleLibre)), "Waiting for Freestyle Libre")
        XCTAssertNil(texts.sentence(.ready))
        texts.connectedMessage = "{provider} ist verbunden."
        texts.name = { _ in "Loona" }
        XCTAssertEqual(texts.sentence(.connected(.luna)), "Loona ist verbunden.")
        let failures: [ConsentFailure] = [.unavailable, .signIn, .rejected, .browser, .otherRedirect, .unconfirmed]
        let steps: [ConsentPhase] = [.loading, .waiting(.luna), .connected(.luna), .refused(.luna), .broken(.luna)]
        let sentences = (steps + failures.map { .failed(.luna, $0) }).compactMap(texts.sentence)
        XCTAssertEqual(Set(sentences).count, 11, "each step has a text of its own")
        XCTAssertFalse(sentences.contains { $0.contains("{") })
    }
}

/// Runs a test on the main actor, as a screen does.
private func onMainActor(_ work: @MainActor @Sendable () async throws -> Void) async throws { try await work() }

private func withSandbox(_ work: @MainActor @Sendable (Sandbox) async throws -> Void) async throws {
    try await Sandbox.run { try await work($0) }
}

@MainActor private func createModel(_ client: VitalwireClient, _ providers: [ProviderSlug] = [.luna, .polar]) -> ConsentModel {
    ConsentModel(client: client, redirectURI: "nights://app.example.org/connected", providers: providers)
}

@MainActor private func status(_ model: ConsentModel, _ provider: ProviderSlug) -> ConsentProvider.Status? {
    model.providers.first { $0.slug == provider }?.status
}

/// A browser without a window. It does not follow redirects.
private final class Browser: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    private static func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let session = URLSession(configuration: .ephemeral, delegate: Browser(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        return (data, try XCTUnwrap(response as? HTTPURLResponse))
    }

    /// Opens a consent page, presses a button and returns the redirect.
    static func answer(_ answer: String, on page: URL) async throws -> URL {
        let html = String(decoding: try await send(URLRequest(url: page)).0, as: UTF8.self)
        let token = try XCTUnwrap(html.components(separatedBy: #"name="form_token" value=""#).last?.prefix { $0 != "\"" })
        var form = URLRequest(url: page)
        (form.httpMethod, form.httpBody) = ("POST", Data("form_token=\(token)&answer=\(answer)".utf8))
        form.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "content-type")
        let (_, response) = try await send(form)
        XCTAssertEqual(response.statusCode, 303)
        return try XCTUnwrap(response.value(forHTTPHeaderField: "location").flatMap(URL.init(string:)))
    }

    /// Sends a command to a sandbox.
    static func post(_ command: [String: String], to route: String, of sandbox: Sandbox) async throws {
        let base = try XCTUnwrap(sandbox.options.health?.baseURL)
        var request = URLRequest(url: base.appendingPathComponent("_sandbox/\(route)"))
        (request.httpMethod, request.httpBody) = ("POST", try JSONEncoder().encode(command))
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        let (_, response) = try await send(request)
        XCTAssertTrue((200..<300).contains(response.statusCode), "\(response.statusCode)")
    }
}
