//! Joins positioned pieces of text on a page into lines, such as the columns of a report.

/// Maximum number of pieces in a document, which are characters.
pub(super) const MAX_PIECES: usize = 200_000;

/// A piece of text and its position on a page, in points from the lower left.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) size: f64,
    pub(super) text: String,
}

/// Returns the lines of a page, from top to bottom. Pieces less than half their height apart belong to the same line.
pub(super) fn group_lines(mut pieces: Vec<Piece>) -> Vec<String> {
    pieces.retain(|piece| !piece.text.is_empty() && piece.x.is_finite() && piece.y.is_finite());
    pieces.sort_by(|one, other| other.y.total_cmp(&one.y));
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.first().is_some_and(|first| first.y - piece.y < first.size.max(1.0) / 2.0) => line.push(piece),
            _ => lines.push(vec![piece]),
        }
    }
    lines.into_iter().map(join_pieces).collect()
}

/// Joins the pieces of a line from left to right, with a space at each gap.
fn join_pieces(mut line: Vec<Piece>) -> String {
    line.sort_by(|one, other| one.x.total_cmp(&other.x));
    let mut text = String::new();
    let mut end = f64::NEG_INFINITY;
    for piece in line {
        let gap = piece.x - end;
        if gap > piece.size * 0.15 && !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(&piece.text);
        end = piece.x + piece.width;
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_row_become_a_line() {
        let piece = |x: f64, y: f64, text: &str| Piece { x, y, width: text.len() as f64 * 5.0, size: 10.0, text: text.to_owned() };
        // Drawn column by column, with one piece slightly lower and one word in two pieces.
        let pieces = vec![
            piece(50.0, 700.0, "WBC"),
            piece(50.0, 680.0, "Hemo"),
            piece(70.5, 680.0, "globin"),
            piece(200.0, 700.0, "7.2"),
            piece(200.0, 678.0, "13.5"),
            piece(300.0, 700.0, "K/uL"),
            piece(f64::NAN, 0.0, "nowhere"),
        ];
        assert_eq!(group_lines(pieces), ["WBC 7.2 K/uL", "Hemoglobin 13.5"]);
    }
}
