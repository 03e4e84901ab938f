//! Mock meal recognition: chooses the dish whose usual colour is nearest to the middle of the picture.

use super::picture::Picture;

/// Minimum side in pixels for the quality checks. Smaller pictures are accepted as they are.
const MIN_CHECKED_SIDE: u32 = 64;
/// Minimum difference between colours. Below it, no food can be identified.
const MIN_CONTRAST: u8 = 12;
/// Minimum value of the brightest pixel. Below it, the picture is too dark.
const MIN_BRIGHTNESS: u8 = 40;

/// Number of dishes that are recognised: the first ones of [`DISHES`](crate::reference::foods::DISHES).
const RECOGNISED: usize = 8;

/// Colour of each recognised dish, as red, green and blue.
const COLOURS: [[u8; 3]; RECOGNISED] = [
    // Oatmeal with banana: light beige.
    [205, 185, 150],
    // Cheese sandwich: crust and yellow.
    [190, 140, 50],
    // Chicken with rice: pale, a little green.
    [195, 190, 125],
    // Pasta with tomato sauce: orange red.
    [206, 110, 62],
    // Salmon with potatoes: pink.
    [235, 160, 140],
    // Salad: green.
    [95, 140, 60],
    // Milk: white.
    [240, 240, 235],
    // Gratin: browned.
    [130, 90, 45],
];

/// Returns the index in [`DISHES`](crate::reference::foods::DISHES) of the dish in a picture, or the reason why none is recognised.
///
/// `number` is derived from the file. It breaks ties, and alone decides if the picture was not decoded.
pub(crate) fn choose(picture: Option<&Picture>, number: u64) -> Result<usize, &'static str> {
    let Some(picture) = picture else { return Ok((number % RECOGNISED as u64) as usize) };
    if picture.width.min(picture.height) >= MIN_CHECKED_SIDE {
        if picture.contrast < MIN_CONTRAST {
            return Err("Unable to identify food items");
        }
        if picture.brightest < MIN_BRIGHTNESS {
            return Err("Image quality is too poor");
        }
    }
    let distance =
        |colour: &[u8; 3]| -> u32 { colour.iter().zip(picture.middle).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum() };
    let least = COLOURS.iter().map(distance).min().unwrap_or(0);
    let nearest: Vec<usize> = (0..COLOURS.len()).filter(|at| distance(&COLOURS[*at]) == least).collect();
    Ok(nearest[(number % nearest.len() as u64) as usize])
}

/// Returns the portion that a precise analysis estimates: 0.80 to 1.20 of the usual serving, derived from the file.
pub(crate) fn portion(number: u64) -> f64 {
    (80 + number % 41) as f64 / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::foods::DISHES;

    fn picture(middle: [u8; 3]) -> Picture {
        Picture { width: 512, height: 512, middle, contrast: 100, brightest: 200 }
    }

    #[test]
    fn the_nearest_colour_selects_the_dish() {
        for (middle, name) in [
            ([200, 115, 70], "pasta with tomato sauce"),
            ([80, 150, 50], "mixed salad with olive oil"),
            ([250, 250, 250], "glass of milk"),
            ([240, 150, 150], "salmon with potatoes"),
        ] {
            let Ok(at) = choose(Some(&picture(middle)), 1) else { panic!("{name}") };
            assert_eq!(DISHES[at].names[0], name);
        }
    }

    #[test]
    fn a_picture_of_one_colour_is_unidentifiable_unless_it_is_tiny() {
        let flat = Picture { contrast: 11, ..picture([200, 115, 70]) };
        assert_eq!(choose(Some(&flat), 1), Err("Unable to identify food items"));
        let dark = Picture { contrast: 39, brightest: 39, ..picture([9, 9, 9]) };
        assert_eq!(choose(Some(&dark), 1), Err("Image quality is too poor"));
        assert_eq!(choose(Some(&Picture { width: 63, ..flat }), 1), Ok(3));
    }

    #[test]
    fn an_undecoded_picture_gets_a_dish_by_its_number() {
        // There are eight dishes.
        assert_eq!([0, 7, 8, 21].map(|number| choose(None, number)), [0, 7, 0, 5].map(Ok));
    }

    #[test]
    fn portions_are_0_8_to_1_2_of_a_serving() {
        assert!((portion(0) - 0.8).abs() < 1e-9 && (portion(40) - 1.2).abs() < 1e-9 && (portion(41) - 0.8).abs() < 1e-9);
    }
}
