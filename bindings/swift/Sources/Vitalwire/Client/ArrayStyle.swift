internal import VitalwireFFI

/// How lists travel in a query.
public enum ArrayStyle: Hashable, Sendable {
    /// `types=steps&types=floors`
    case repeated
    /// `types=steps,floors`
    case comma

    var native: VitalwireFFI.ArrayStyle {
        switch self {
        case .repeated: .repeated
        case .comma: .comma
        }
    }
}
