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

public struct TupleView<Content>: View {
    init(_ content: Content) {}
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

@MainActor @resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content))
    }
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
