//! What a record says about itself: that nothing in it is real, and what chose it.

use crate::people::meals::Analysis;

/// The description of a dish in a language of the larder (English, German, French).
pub(crate) fn description(analysis: Analysis, names: &[&str; 3], language: usize) -> String {
    let name = names.get(language).unwrap_or(&names[0]);
    let (chosen, how) = match (language, analysis) {
        (1, Analysis::Seeded) => ("Synthetisch: eine erfundene Mahlzeit", ""),
        (2, Analysis::Seeded) => ("Synthétique : un repas inventé", ""),
        (_, Analysis::Seeded) => ("Synthetic: an invented meal", ""),
        (1, Analysis::Fast) => ("Synthetisch: nach der Farbe in der Bildmitte gewählt", ", übliche Portion (schnell)"),
        (1, Analysis::Precise) => ("Synthetisch: nach der Farbe in der Bildmitte gewählt", ", geschätzte Portion (genau)"),
        (2, Analysis::Fast) => ("Synthétique : choisi d'après la couleur au milieu de l'image", ", portion usuelle (rapide)"),
        (2, Analysis::Precise) => ("Synthétique : choisi d'après la couleur au milieu de l'image", ", portion estimée (précis)"),
        (_, Analysis::Fast) => ("Synthetic: chosen by the colour in the middle of the picture", ", usual portion (fast)"),
        (_, Analysis::Precise) => ("Synthetic: chosen by the colour in the middle of the picture", ", estimated portion (precise)"),
    };
    format!("{chosen}, {name}{how}.")
}
