import Foundation

open class BGTaskRequest: NSObject {
    public var earliestBeginDate: Date?
}

open class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) {}
}

open class BGTaskScheduler: NSObject {
    public class var shared: BGTaskScheduler { BGTaskScheduler() }

    open func submit(_ request: BGTaskRequest) throws {}
}
