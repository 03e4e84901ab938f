internal import VitalwireFFI

/// Encoding of list parameters in a query.
public enum ArrayStyle: Hashable, Sendable {
    /// Repeats the name: `types=steps&types=floors`.
    case repeated
    /// Joins the items with commas: `types=steps,floors`.
    case comma

    var native: VitalwireFFI.ArrayStyle {
        switch self {
        case .repeated: .repeated
        case .comma: .comma
        }
    }
}
