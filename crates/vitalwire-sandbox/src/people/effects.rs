//! [`Effects`]: true effects in the data of synthetic people, which an analysis can look for.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// An effect with a known size. The README of this crate has the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// Minutes of sleep latency per 1,000 steps on the day before. Defaults to −2.
    StepsOnLatency,
    /// Steps per hour that the night before was longer than the person's usual one. Defaults to 600.
    SleepOnSteps,
    /// Additional steps on Saturdays and Sundays. Defaults to −1,500.
    WeekendSteps,
    /// Additional minutes in bed in nights that end on Saturdays and Sundays. Defaults to 45.
    WeekendSleep,
    /// Additional steps at midsummer; as many fewer at midwinter. Defaults to 1,000.
    SeasonSteps,
    /// Additional resting heart rate during an illness, in bpm. Defaults to 8.
    Illness,
    /// Time difference of trips to other time zones, in whole hours. Defaults to 6.
    Travel,
    /// Difference between the heart rates of two devices of the same person, in bpm. Defaults to 3.
    DeviceChange,
    /// Share of days on which the watch counts 25,000 to 35,000 steps too many. Defaults to 0.01.
    Outliers,
    /// Energy eaten as a share of the energy burned, in varied meals. Defaults to 1.
    Meals,
}

impl Effect {
    /// All effects.
    pub const ALL: [Self; 10] = [
        Self::StepsOnLatency,
        Self::SleepOnSteps,
        Self::WeekendSteps,
        Self::WeekendSleep,
        Self::SeasonSteps,
        Self::Illness,
        Self::Travel,
        Self::DeviceChange,
        Self::Outliers,
        Self::Meals,
    ];

    /// Returns its name in texts, its default size and the range of its size.
    const fn properties(self) -> (&'static str, f64, RangeInclusive<f64>) {
        match self {
            Self::StepsOnLatency => ("steps_on_latency", -2.0, -3.0..=3.0),
            Self::SleepOnSteps => ("sleep_on_steps", 600.0, -1_000.0..=1_000.0),
            Self::WeekendSteps => ("weekend_steps", -1_500.0, -2_000.0..=2_000.0),
            Self::WeekendSleep => ("weekend_sleep", 45.0, -60.0..=60.0),
            Self::SeasonSteps => ("season_steps", 1_000.0, -1_500.0..=1_500.0),
            Self::Illness => ("illness", 8.0, 0.0..=15.0),
            Self::Travel => ("travel", 6.0, 1.0..=6.0),
            Self::DeviceChange => ("device_change", 3.0, -5.0..=5.0),
            Self::Outliers => ("outliers", 0.01, 0.0..=0.1),
            Self::Meals => ("meals", 1.0, 0.8..=1.2),
        }
    }

    /// Returns its name in the text form of [`Effects`].
    pub const fn name(self) -> &'static str {
        self.properties().0
    }

    /// Returns its default size, in the unit of the variant.
    pub const fn default_size(self) -> f64 {
        self.properties().1
    }

    /// Returns the allowed sizes, in the unit of the variant.
    pub const fn sizes(self) -> RangeInclusive<f64> {
        self.properties().2
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.name() == name)
    }
}

/// Effects with their sizes. Defaults to none.
///
/// The text form lists names, each with an optional size. `all` stands for all effects with their default sizes, and the size `off` removes
/// an effect. Later items replace earlier ones.
///
/// ```
/// use vitalwire_sandbox::{Effect, Effects};
/// let effects: Effects = "all, illness=10, travel=off".parse()?;
/// assert_eq!(effects.size(Effect::Illness), Some(10.0));
/// assert_eq!(effects.size(Effect::Travel), None);
/// assert_eq!(effects, Effects::all().with(Effect::Illness, 10.0)?.without(Effect::Travel));
/// # Ok::<(), vitalwire_sandbox::EffectError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effects([Option<f64>; Effect::ALL.len()]);

impl Effects {
    /// Creates a set of all effects with their default sizes.
    pub fn all() -> Self {
        Self(Effect::ALL.map(|effect| Some(effect.default_size())))
    }

    /// Adds an effect, or changes its size.
    ///
    /// # Errors
    ///
    /// [`EffectError::Size`] if the size is not in [`Effect::sizes`], or is no whole number for [`Effect::Travel`].
    pub fn with(mut self, effect: Effect, size: f64) -> Result<Self, EffectError> {
        if !effect.sizes().contains(&size) || (effect == Effect::Travel && size.fract() != 0.0) {
            return Err(EffectError::Size(effect));
        }
        self.0[effect as usize] = Some(size);
        Ok(self)
    }

    /// Removes an effect.
    #[must_use]
    pub fn without(mut self, effect: Effect) -> Self {
        self.0[effect as usize] = None;
        self
    }

    /// Returns the size of an effect. `None` if the effect is absent.
    pub fn size(&self, effect: Effect) -> Option<f64> {
        self.0[effect as usize]
    }

    fn with_item(self, item: &str) -> Result<Self, EffectError> {
        let (name, size) = item.split_once('=').map_or((item, None), |(name, size)| (name, Some(size.trim())));
        if item == "all" {
            return Ok(Self::all());
        }
        let effect = Effect::from_name(name.trim()).ok_or(EffectError::Name)?;
        match size {
            None => self.with(effect, effect.default_size()),
            Some("off") => Ok(self.without(effect)),
            Some(size) => self.with(effect, size.parse().map_err(|_| EffectError::Size(effect))?),
        }
    }
}

impl FromStr for Effects {
    type Err = EffectError;

    fn from_str(text: &str) -> Result<Self, EffectError> {
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).try_fold(Self::default(), Self::with_item)
    }
}

/// Writes the form that [`FromStr`] parses.
impl fmt::Display for Effects {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = Effect::ALL.into_iter().filter_map(|effect| Some((effect, self.size(effect)?)));
        for (at, (effect, size)) in sizes.enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(formatter, "{comma}{}={size}", effect.name())?;
        }
        Ok(())
    }
}

/// Reason why effects are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EffectError {
    /// The name is unknown.
    Name,
    /// The size of this effect is out of range.
    Size(Effect),
}

impl fmt::Display for EffectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => {
                let names = Effect::ALL.map(Effect::name).join(", ");
                write!(formatter, "unknown effect; expected all or one of: {names}")
            }
            Self::Size(effect) => {
                let (name, _, sizes) = effect.properties();
                let number = if *effect == Effect::Travel { "a whole number" } else { "a number" };
                write!(formatter, "{name} must be {number} from {} to {}, or off", sizes.start(), sizes.end())
            }
        }
    }
}

impl std::error::Error for EffectError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_is_parsed_and_written() {
        assert_eq!("".parse(), Ok(Effects::default()));
        assert_eq!("all".parse(), Ok(Effects::all()));
        let effects: Effects = "travel, illness = 10 ,".parse().unwrap();
        assert_eq!(effects.to_string(), "illness=10,travel=6");
        assert_eq!(effects.to_string().parse(), Ok(effects));
        assert_eq!("all,illness=off".parse(), Ok(Effects::all().without(Effect::Illness)));
        assert_eq!("illness=9,all".parse(), Ok(Effects::all()));
    }

    #[test]
    fn invalid_effects_are_explained_without_quoting_them() {
        let error = |text: &str| text.parse::<Effects>().unwrap_err().to_string();
        assert!(error("canary").starts_with("unknown effect; expected all or one of: steps_on_latency, sleep_on_steps, "));
        assert!(!error("all=canary").contains("canary"));
        for text in ["illness=16", "illness=", "illness=NaN", "illness=-1", "illness=canary"] {
            assert_eq!(error(text), "illness must be a number from 0 to 15, or off");
        }
        assert_eq!(error("travel=1.5"), "travel must be a whole number from 1 to 6, or off");
    }

    #[test]
    fn default_sizes_are_allowed() {
        for effect in Effect::ALL {
            assert!(effect.sizes().contains(&effect.default_size()), "{effect:?}");
            assert_eq!(Effects::all().size(effect), Some(effect.default_size()));
        }
    }
}
