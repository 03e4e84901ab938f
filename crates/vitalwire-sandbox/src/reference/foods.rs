//! Foods with invented but plausible nutrients per 100 g or ml, and dishes made of them.

use crate::values::rng::Rng;

/// Nutrients returned if a caller requests none.
pub(crate) const DEFAULT_NUTRIENTS: [&str; 4] = ["carbohydrate_g", "energy_kcal", "fat_total_g", "protein_g"];

/// Nutrients left out of the response to a changed serving size.
pub(crate) const NOT_IN_UPDATE: [&str; 4] = ["manganese_mcg", "salt_g", "salt_mg", "sodium_g"];

/// Ingredient of dishes. Names are in English, German and French, nutrients per 100 g or ml.
pub(crate) struct Food {
    pub(crate) names: [&'static str; 3],
    kcal: f64,
    carbohydrate: f64,
    protein: f64,
    fat: f64,
    saturated: f64,
    fiber: f64,
    sugar: f64,
    sodium_mg: f64,
}

const fn food(names: [&'static str; 3], macros: [f64; 8]) -> Food {
    let [kcal, carbohydrate, protein, fat, saturated, fiber, sugar, sodium_mg] = macros;
    Food { names, kcal, carbohydrate, protein, fat, saturated, fiber, sugar, sodium_mg }
}

pub(crate) const FOODS: [Food; 28] = [
    food(["oats", "Haferflocken", "flocons d'avoine"], [370.0, 59.0, 13.0, 7.0, 1.3, 10.0, 1.0, 6.0]),
    food(["milk", "Milch", "lait"], [64.0, 4.8, 3.3, 3.5, 2.1, 0.0, 4.8, 45.0]),
    food(["banana", "Banane", "banane"], [89.0, 22.8, 1.1, 0.3, 0.1, 2.6, 12.2, 1.0]),
    food(["wholegrain bread", "Vollkornbrot", "pain complet"], [230.0, 41.0, 8.5, 2.6, 0.5, 7.5, 3.5, 450.0]),
    food(["cheese", "Käse", "fromage"], [356.0, 0.5, 25.0, 28.0, 18.0, 0.0, 0.5, 650.0]),
    food(["rice", "Reis", "riz"], [130.0, 28.2, 2.7, 0.3, 0.1, 0.4, 0.1, 2.0]),
    food(["chicken breast", "Hähnchenbrust", "blanc de poulet"], [165.0, 0.0, 31.0, 3.6, 1.0, 0.0, 0.0, 74.0]),
    food(["broccoli", "Brokkoli", "brocoli"], [35.0, 7.2, 2.4, 0.4, 0.1, 3.3, 1.4, 41.0]),
    food(["pasta", "Nudeln", "pâtes"], [158.0, 30.9, 5.8, 0.9, 0.2, 1.8, 0.6, 1.0]),
    food(["tomato sauce", "Tomatensoße", "sauce tomate"], [45.0, 7.0, 1.5, 1.2, 0.2, 1.6, 5.0, 320.0]),
    food(["salmon", "Lachs", "saumon"], [208.0, 0.0, 20.4, 13.4, 3.1, 0.0, 0.0, 59.0]),
    food(["potatoes", "Kartoffeln", "pommes de terre"], [87.0, 20.1, 1.9, 0.1, 0.0, 1.8, 0.9, 5.0]),
    food(["mixed salad", "gemischter Salat", "salade composée"], [22.0, 3.6, 1.4, 0.3, 0.0, 1.9, 2.1, 24.0]),
    food(["olive oil", "Olivenöl", "huile d'olive"], [884.0, 0.0, 0.0, 100.0, 13.8, 0.0, 0.0, 2.0]),
    food(["egg", "Ei", "œuf"], [143.0, 0.7, 12.6, 9.5, 3.1, 0.0, 0.4, 142.0]),
    food(["yoghurt", "Joghurt", "yaourt"], [61.0, 4.7, 3.5, 3.3, 2.1, 0.0, 4.7, 46.0]),
    food(["muesli", "Müsli", "muesli"], [370.0, 62.0, 10.0, 8.0, 1.5, 8.5, 15.0, 20.0]),
    food(["apple", "Apfel", "pomme"], [52.0, 13.8, 0.3, 0.2, 0.0, 2.4, 10.4, 1.0]),
    food(["lentils", "Linsen", "lentilles"], [116.0, 20.1, 9.0, 0.4, 0.1, 7.9, 1.8, 2.0]),
    food(["tofu", "Tofu", "tofu"], [144.0, 2.8, 17.3, 8.7, 1.3, 2.3, 0.6, 14.0]),
    food(["minced beef", "Rinderhack", "bœuf haché"], [230.0, 0.0, 25.0, 14.5, 6.0, 0.0, 0.0, 70.0]),
    food(["avocado", "Avocado", "avocat"], [160.0, 8.5, 2.0, 14.7, 2.1, 6.7, 0.7, 7.0]),
    food(["nuts", "Nüsse", "noix"], [607.0, 16.0, 20.0, 53.0, 6.5, 7.0, 4.0, 5.0]),
    food(["butter", "Butter", "beurre"], [717.0, 0.6, 0.9, 81.0, 51.0, 0.0, 0.6, 9.0]),
    food(["kidney beans", "Kidneybohnen", "haricots rouges"], [127.0, 22.8, 8.7, 0.5, 0.1, 6.4, 0.3, 2.0]),
    food(["chocolate", "Schokolade", "chocolat"], [545.0, 58.0, 6.0, 32.0, 19.0, 4.0, 52.0, 24.0]),
    food(["vegetables", "Gemüse", "légumes"], [40.0, 7.0, 2.0, 0.3, 0.1, 3.0, 3.5, 35.0]),
    food(["white bread", "Weißbrot", "pain blanc"], [265.0, 49.0, 9.0, 3.2, 0.7, 2.7, 5.0, 490.0]),
];

/// A dish, with the grams or millilitres of each food in a usual serving.
pub(crate) struct Dish {
    pub(crate) names: [&'static str; 3],
    pub(crate) score: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) parts: &'static [(usize, f64)],
}

/// Creates a dish that is measured in grams.
const fn dish(names: [&'static str; 3], score: &'static str, parts: &'static [(usize, f64)]) -> Dish {
    Dish { names, score, unit: "g", parts }
}

pub(crate) const DISHES: [Dish; 25] = [
    dish(["oatmeal with banana", "Haferbrei mit Banane", "porridge à la banane"], "A", &[(0, 60.0), (1, 200.0), (2, 90.0)]),
    dish(["cheese sandwich", "Käsebrot", "sandwich au fromage"], "D", &[(3, 90.0), (4, 50.0)]),
    dish(["chicken with rice", "Hähnchen mit Reis", "poulet au riz"], "A", &[(6, 150.0), (5, 180.0), (7, 100.0)]),
    dish(["pasta with tomato sauce", "Nudeln mit Tomatensoße", "pâtes à la sauce tomate"], "B", &[(8, 220.0), (9, 130.0)]),
    dish(["salmon with potatoes", "Lachs mit Kartoffeln", "saumon et pommes de terre"], "B", &[(10, 140.0), (11, 200.0), (7, 80.0)]),
    dish(
        ["mixed salad with olive oil", "gemischter Salat mit Olivenöl", "salade composée à l'huile d'olive"],
        "C",
        &[(12, 200.0), (13, 15.0)],
    ),
    Dish { unit: "ml", ..dish(["glass of milk", "Glas Milch", "verre de lait"], "B", &[(1, 250.0)]) },
    dish(["potato gratin", "Kartoffelgratin", "gratin de pommes de terre"], "E", &[(11, 220.0), (4, 80.0), (1, 80.0), (13, 10.0)]),
    dish(
        ["muesli with yoghurt and apple", "Müsli mit Joghurt und Apfel", "muesli au yaourt et à la pomme"],
        "A",
        &[(16, 70.0), (15, 200.0), (17, 100.0)],
    ),
    dish(["scrambled eggs with bread", "Rührei mit Brot", "œufs brouillés et pain"], "C", &[(14, 150.0), (27, 80.0), (23, 10.0)]),
    dish(
        ["bread with butter and cheese", "Brot mit Butter und Käse", "pain au beurre et fromage"],
        "D",
        &[(3, 100.0), (23, 15.0), (4, 40.0)],
    ),
    dish(["avocado toast with egg", "Avocadobrot mit Ei", "pain à l'avocat et à l'œuf"], "B", &[(3, 90.0), (21, 90.0), (14, 60.0)]),
    dish(["lentil stew", "Linseneintopf", "potée de lentilles"], "A", &[(18, 320.0), (11, 120.0), (26, 100.0), (13, 8.0)]),
    dish(
        ["tofu with rice and vegetables", "Tofu mit Reis und Gemüse", "tofu au riz et aux légumes"],
        "A",
        &[(19, 160.0), (5, 220.0), (26, 150.0), (13, 10.0)],
    ),
    dish(
        ["bean bowl with rice and avocado", "Bohnenschale mit Reis und Avocado", "bol de haricots, riz et avocat"],
        "A",
        &[(24, 200.0), (5, 180.0), (21, 60.0), (9, 80.0)],
    ),
    dish(
        ["chicken salad with bread", "Hähnchensalat mit Brot", "salade de poulet et pain"],
        "B",
        &[(6, 140.0), (12, 200.0), (13, 15.0), (27, 80.0)],
    ),
    dish(
        ["pasta with meat sauce", "Nudeln mit Hackfleischsoße", "pâtes à la bolognaise"],
        "C",
        &[(8, 260.0), (20, 120.0), (9, 150.0), (4, 15.0)],
    ),
    dish(
        ["salmon with rice and broccoli", "Lachs mit Reis und Brokkoli", "saumon, riz et brocoli"],
        "A",
        &[(10, 170.0), (5, 220.0), (7, 150.0), (13, 10.0)],
    ),
    dish(
        ["minced beef with potatoes", "Rinderhack mit Kartoffeln", "bœuf haché et pommes de terre"],
        "C",
        &[(20, 170.0), (11, 300.0), (7, 120.0), (23, 10.0)],
    ),
    dish(
        ["vegetable curry with rice", "Gemüsecurry mit Reis", "curry de légumes au riz"],
        "A",
        &[(26, 250.0), (5, 260.0), (24, 120.0), (13, 15.0)],
    ),
    dish(["chilli with rice", "Chili mit Reis", "chili au riz"], "B", &[(20, 120.0), (24, 150.0), (9, 150.0), (5, 200.0)]),
    dish(["apple with nuts", "Apfel mit Nüssen", "pomme et noix"], "B", &[(17, 150.0), (22, 25.0)]),
    dish(["yoghurt with banana", "Joghurt mit Banane", "yaourt à la banane"], "B", &[(15, 200.0), (2, 120.0)]),
    dish(["chocolate", "Schokolade", "chocolat"], "E", &[(25, 40.0)]),
    dish(["cheese roll", "Käsebrötchen", "petit pain au fromage"], "D", &[(27, 60.0), (4, 20.0)]),
];

impl Dish {
    /// Returns the usual serving in grams or millilitres.
    pub(crate) fn serving(&self) -> f64 {
        self.parts.iter().map(|(_, amount)| amount).sum()
    }

    /// Returns the energy of the usual serving in kilocalories.
    pub(crate) fn energy(&self) -> f64 {
        self.parts.iter().map(|(food, amount)| amount_per_100(*food, "energy_kcal") * amount / 100.0).sum()
    }
}

/// Returns the index of a language in the tables of names. Other languages use English.
pub(crate) fn language_index(code: &str) -> usize {
    match code {
        "de" => 1,
        "fr" => 2,
        _ => 0,
    }
}

/// Returns the amount of a nutrient in 100 g or ml of a food.
pub(crate) fn amount_per_100(at: usize, nutrient: &str) -> f64 {
    let Some(food) = FOODS.get(at) else {
        return 0.0;
    };
    match nutrient {
        "energy_kcal" => food.kcal,
        "carbohydrate_g" => food.carbohydrate,
        "protein_g" => food.protein,
        "fat_total_g" => food.fat,
        "fat_saturated_g" => food.saturated,
        "fat_monounsaturated_g" => (food.fat - food.saturated) * 0.6,
        "fat_polyunsaturated_g" => (food.fat - food.saturated) * 0.4,
        "fat_trans_g" => food.fat * 0.01,
        "fiber_total_dietary_g" => food.fiber,
        "sugars_total_g" => food.sugar,
        "sodium_mg" => food.sodium_mg,
        "sodium_g" => food.sodium_mg / 1_000.0,
        "salt_mg" => food.sodium_mg * 2.5,
        "salt_g" => food.sodium_mg * 2.5 / 1_000.0,
        other => trace_amount(at, other),
    }
}

/// Returns a vitamin, mineral or other nutrient: random per food, between zero and a plausible maximum.
fn trace_amount(at: usize, nutrient: &str) -> f64 {
    let most = match nutrient {
        "calcium_mg" | "magnesium_mg" => 120,
        "phosphorus_mg" | "potassium_mg" => 400,
        "cholesterol_mg" | "folate_mcg" | "vitamin_a_rae_mcg" | "vitamin_c_mg" => 60,
        "manganese_mcg" => 900,
        "vitamin_k_mcg" => 40,
        "iron_mg" | "niacin_mg" | "zinc_mg" | "vitamin_e_mg" => 4,
        _ => 1,
    };
    Rng::new(at as u64, 0, nutrient).below(most * 100) as f64 / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::names::NUTRIENT_NAME;

    #[test]
    fn nutrients_per_100_are_possible() {
        for (at, food) in FOODS.iter().enumerate() {
            let mass = food.carbohydrate + food.protein + food.fat + food.fiber;
            assert!(mass <= 100.5, "{}: {mass}", food.names[0]);
            assert!(food.sugar <= food.carbohydrate && food.saturated <= food.fat);
            // 4, 4 and 9 kcal per gram. Tolerates a third plus 10 kcal for rounding, fibre and water.
            let energy = 4.0 * (food.carbohydrate + food.protein) + 9.0 * food.fat;
            assert!((energy - food.kcal).abs() < food.kcal / 3.0 + 10.0, "{}", food.names[0]);
            for nutrient in NUTRIENT_NAME.iter().copied() {
                let amount = amount_per_100(at, nutrient);
                assert!(amount.is_finite() && amount >= 0.0, "{nutrient}");
            }
        }
    }

    #[test]
    fn salt_follows_sodium() {
        assert!((amount_per_100(3, "salt_g") - 1.125).abs() < 1e-12);
        assert!((amount_per_100(3, "salt_mg") - 1_125.0).abs() < 1e-9);
        assert!((amount_per_100(3, "sodium_g") - 0.45).abs() < 1e-12);
    }
}
