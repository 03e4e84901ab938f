import Foundation

@MainActor open class ASPresentationAnchor: NSObject {}

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: AnyObject {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?

    public init(url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {}

    @discardableResult open func start() -> Bool { true }
}
