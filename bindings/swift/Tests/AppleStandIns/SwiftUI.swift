import AuthenticationServices
import Combine
import Foundation

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

@MainActor public protocol Scene {}

@MainActor public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

extension Never: View {
    public var body: Never { fatalError("a stand-in") }
}

extension View where Body == Never {
    public var body: Never { fatalError("a stand-in") }
}

extension View {
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
    public func task<ID: Equatable>(id: ID, _ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
    public func refreshable(action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
    public func disabled(_ disabled: Bool) -> some View { self }
    public func font(_ font: Font?) -> some View { self }
    public func foregroundStyle(_ color: Color) -> some View { self }
    public func navigationTitle(_ title: String) -> some View { self }
    public func tabItem<Label: View>(@ViewBuilder _ label: () -> Label) -> some View { self }
    public func accessibilityHidden(_ hidden: Bool) -> some View { self }
    public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { self }
}

public struct AccessibilityChildBehavior: Sendable { public static let combine = AccessibilityChildBehavior() }

public struct Font: Sendable { public static let footnote = Font() }

public struct Color: Sendable {
    public static let primary = Color()
    public static let secondary = Color()
}

public struct EnvironmentValues: Sendable {}

@MainActor @propertyWrapper public struct Environment<Value> {
    public var wrappedValue: Value { fatalError("a stand-in") }

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
}

@MainActor @propertyWrapper public struct ObservedObject<Object: ObservableObject> {
    public var wrappedValue: Object

    public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
}

@MainActor @propertyWrapper public struct StateObject<Object: ObservableObject> {
    public var wrappedValue: Object { fatalError("a stand-in") }

    public init(wrappedValue: @autoclosure @escaping () -> Object) {}
}

/// In Apple's frameworks, it is declared for modules that import both SwiftUI and AuthenticationServices.
@MainActor public struct WebAuthenticationSession: Sendable {
    public func authenticate(using url: URL, callbackURLScheme: String) async throws -> URL { url }

    public func authenticate(
        using url: URL, callback: ASWebAuthenticationSession.Callback, additionalHeaderFields: [String: String]
    ) async throws -> URL { url }
}

extension EnvironmentValues {
    public var webAuthenticationSession: WebAuthenticationSession { fatalError("a stand-in") }
}

public struct Button<Label: View>: View {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

public struct Image: View {
    public init(systemName: String) {}
}

public struct Spacer: View {
    public init() {}
}

public struct HStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct HorizontalAlignment: Sendable { public static let leading = HorizontalAlignment() }

public struct VStack<Content: View>: View {
    public init(alignment: HorizontalAlignment, @ViewBuilder content: () -> Content) {}
}

public struct ViewThatFits<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct NavigationStack<Root: View>: View {
    public init(@ViewBuilder root: () -> Root) {}
}

public struct TabView<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Text: View {
    public init(_ text: String) {}
}

public struct List<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct TupleView<Content>: View {
    init(_ content: Content) {}
}

public struct ConditionalContent<First, Second>: View {}

extension Optional: View where Wrapped: View {}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

@MainActor @resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> { .init() }
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> { .init() }
}

@propertyWrapper public struct State<Value> {
    public var wrappedValue: Value {
        get { fatalError("a stand-in") }
        nonmutating set {}
    }

    public init(wrappedValue: Value) {}
}

public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {}

extension BackgroundTask where Request == Void, Response == Void {
    public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void> { .init() }
}

extension Scene {
    public func backgroundTask<Request: Sendable, Response: Sendable>(
        _ task: BackgroundTask<Request, Response>, action: @escaping @Sendable (Request) async -> Response
    ) -> some Scene { self }
}
