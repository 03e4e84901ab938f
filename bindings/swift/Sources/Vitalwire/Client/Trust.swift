import Foundation

extension ClientOptions {
    /// The certificate authorities that a client trusts.
    public enum Trust: Hashable, Sendable {
        /// The authorities of the platform.
        case platform
        /// The authorities of the platform and your own ones.
        case also(Certificates)
        /// Only your own. A client without any is an error of kind ``ErrorKind/configuration``.
        case only(Certificates)

        var certificates: Certificates? {
            switch self {
            case .platform: nil
            case .also(let certificates), .only(let certificates): certificates
            }
        }

        var isOnlyCustom: Bool {
            if case .only = self { true } else { false }
        }
    }

    /// Certificates of your own authorities.
    ///
    /// Most clients need one source: `.pem(text)`, `.file(url)` or `.environment`.
    public struct Certificates: Hashable, Sendable {
        /// Certificates in PEM format.
        public var pem: String?
        /// PEM file, or folder of PEM files. It is read when the client is created. Certificates in it that cannot be trust anchors are
        /// skipped.
        public var file: URL?
        /// Whether to read the file or folder that `REQUESTS_CA_BUNDLE` names, and those of `SSL_CERT_FILE` and `SSL_CERT_DIR` on systems
        /// that do not read these variables themselves. Defaults to false.
        public var readsEnvironment: Bool

        /// Creates a set from several sources.
        public init(pem: String? = nil, file: URL? = nil, readsEnvironment: Bool = false) {
            (self.pem, self.file, self.readsEnvironment) = (pem, file, readsEnvironment)
        }

        /// Certificates in PEM format.
        public static func pem(_ text: String) -> Certificates { Certificates(pem: text) }

        /// Certificates of a PEM file, or of a folder of PEM files.
        public static func file(_ url: URL) -> Certificates { Certificates(file: url) }

        /// Certificates of the file or folder that an environment variable names; see ``readsEnvironment``.
        public static var environment: Certificates { Certificates(readsEnvironment: true) }
    }
}
