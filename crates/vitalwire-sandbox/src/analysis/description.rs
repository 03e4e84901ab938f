//! Descriptions of records: they state that the contents are synthetic and what they were derived from.

use super::AnalysisMode;

/// Returns the description of a dish in a language of the table of foods (English, German or French).
pub(crate) fn dish_description(mode: AnalysisMode, not_decoded: bool, names: &[&str; 3], language: usize) -> String {
    let name = names.get(language).unwrap_or(&names[0]);
    let (invented, seen, not_seen) = match language {
        1 => (
            "Synthetisch: eine erfundene Mahlzeit",
            "Synthetisch: nach der Farbe in der Bildmitte gewählt",
            "Synthetisch: nach der Prüfsumme der Datei gewählt",
        ),
        2 => (
            "Synthétique : un repas inventé",
            "Synthétique : choisi d'après la couleur au milieu de l'image",
            "Synthétique : choisi d'après la somme de contrôle du fichier",
        ),
        _ => (
            "Synthetic: an invented meal",
            "Synthetic: chosen by the colour in the middle of the picture",
            "Synthetic: chosen by the file's checksum",
        ),
    };
    let chosen = if not_decoded { not_seen } else { seen };
    let (chosen, portion) = match (mode, language) {
        (AnalysisMode::Seeded, _) => (invented, ""),
        (AnalysisMode::Fast, 1) => (chosen, ", übliche Portion (schnell)"),
        (AnalysisMode::Fast, 2) => (chosen, ", portion usuelle (rapide)"),
        (AnalysisMode::Fast, _) => (chosen, ", usual portion (fast)"),
        (AnalysisMode::Precise, 1) => (chosen, ", geschätzte Portion (genau)"),
        (AnalysisMode::Precise, 2) => (chosen, ", portion estimée (précis)"),
        (AnalysisMode::Precise, _) => (chosen, ", estimated portion (precise)"),
    };
    format!("{chosen}, {name}{portion}.")
}
