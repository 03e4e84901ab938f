import Foundation

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Sendable { case canceledLogin }

    public let code: Code
}

open class ASWebAuthenticationSession: NSObject {
    public final class Callback: NSObject {
        public class func customScheme(_ scheme: String) -> Callback { Callback() }
        public class func https(host: String, path: String) -> Callback { Callback() }
    }
}
