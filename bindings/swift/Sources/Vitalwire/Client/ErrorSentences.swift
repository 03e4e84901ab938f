import Foundation

extension VitalwireError: LocalizedError {
    /// A sentence for the user of the application, in English: for example, the message of an alert.
    ///
    /// ``description`` is the text for logs. To show sentences in other languages, choose them by ``kind``.
    public var errorDescription: String? {
        switch kind {
        case .authentication where underlying != nil: "The app could not sign in to the health data service."
        case .authentication: "You are not signed in to the health data service."
        case .permission: "You do not have access to this data."
        case .notFound: "The requested data does not exist."
        case .invalidRequest: "The health data service rejected the request."
        case .tooLarge: "The file or the requested data is too large."
        case .rateLimited: "The health data service has received too many requests."
        case .service: "The health data service is unavailable."
        case .timeout: "The health data service did not respond in time."
        case .transport: "The health data service cannot be reached."
        case .unexpectedStatus, .decode: "The health data service sent an unexpected response."
        case .signature: "The response to the consent request is not valid."
        case .cancelled: "The request was cancelled."
        case .closed: "The request was stopped."
        default: "The app could not make the request."
        }
    }

    /// A sentence that tells the user of the application what to do, in English. `nil` if there is nothing to do.
    public var recoverySuggestion: String? {
        if mayHaveTakenEffect { return "Your change may have been saved. Check that before you try again." }
        switch kind {
        case .authentication where underlying != nil: return "Check your internet connection, or sign in again."
        case .authentication: return "Sign in again."
        case .permission: return "Check the permissions of your account."
        case .notFound: return "The data may have been deleted. Load the list again."
        case .invalidRequest: return "Check what you have entered."
        case .tooLarge: return "Choose a smaller file or a shorter period."
        case .rateLimited, .service: return retryAfter.map { "Try again in \(Self.rounded($0))." } ?? "Try again later."
        case .timeout: return "Check your internet connection and try again."
        case .transport where isTransient: return "Check your internet connection and try again."
        case .closed: return "Try again."
        case .signature: return "Give your consent again."
        case .cancelled: return nil
        default: return "Update the app. If that does not help, contact its support."
        }
    }

    /// Returns a delay in whole seconds, or from two minutes on in whole minutes, rounded up.
    private static func rounded(_ delay: Duration) -> String {
        let seconds = Int(max(1, (delay / .seconds(1)).rounded(.up)))
        if seconds == 1 { return "1 second" }
        return seconds < 120 ? "\(seconds) seconds" : "\(seconds / 60 + (seconds % 60 == 0 ? 0 : 1)) minutes"
    }
}

extension StateError: LocalizedError {
    /// A sentence for the user of the application, in English. ``description`` is the text for logs.
    public var errorDescription: String? { "The stored data cannot be updated." }

    /// A sentence that tells the user of the application what to do, in English.
    public var recoverySuggestion: String? {
        switch reason {
        case .otherUser: "Sign in with the account of the stored data, or load all data again."
        default: "Load all data again."
        }
    }
}
