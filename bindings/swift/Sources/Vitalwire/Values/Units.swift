import Foundation

extension MetricName {
    /// Returns a number as a `Measurement`, for formatters and conversions; `nil` if ``dimension`` is `nil`.
    public func measurement(_ value: Double) -> Measurement<Dimension>? { dimension.map { Measurement(value: value, unit: $0) } }
}

/// Returns Foundation's unit for the values of the metric, statistic or nutrient `name`; `nil` if there is none.
///
/// A deviation is a difference, which Foundation would convert as an absolute temperature.
func knownDimension(_ unit: String, of name: String) -> Dimension? {
    name.hasSuffix("_deviation") ? nil : knownDimension(unit)
}

/// Returns Foundation's unit for a unit of the service; `nil` if there is none.
private func knownDimension(_ unit: String) -> Dimension? {
    switch unit {
    case "degC": UnitTemperature.celsius
    case "m": UnitLength.meters
    case "ms": UnitDuration.milliseconds
    case "s": UnitDuration.seconds
    case "min": UnitDuration.minutes
    case "mmHg": UnitPressure.millimetersOfMercury
    case "kcal": UnitEnergy.kilocalories
    case "g": UnitMass.grams
    case "mg": UnitMass.milligrams
    case "mcg": UnitMass.micrograms
    case "kg": UnitMass.kilograms
    case "mg/dL": UnitConcentrationMass.milligramsPerDeciliter
    default: nil
    }
}
