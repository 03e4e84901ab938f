//! Uploading the image of a meal.

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use serde_json::Value;

use crate::auth::User;
use crate::body::Fields;
use crate::fetch;
use crate::people::foods::{self, DISHES, NUTRIENTS, USUAL};
use crate::people::meals::{Meal, Outcome, Wanted};
use crate::people::{calendar, profile::Profile};
use crate::problem::Problem;
use crate::upload;
use crate::world::World;

/// Where the image comes from: exactly one of the two.
enum Image {
    Body(String),
    Url(String),
}

struct Request {
    image: Image,
    wait: bool,
    wanted: Wanted,
    consumed_at: Option<jiff::Timestamp>,
}

fn read(body: &Bytes) -> Result<Request, Problem> {
    let mut fields = Fields::parse(body)?;
    let image = match (fields.text("body"), fields.text("body_url")) {
        (Some(body), None) => Some(Image::Body(body)),
        (None, Some(url)) => Some(Image::Url(url)),
        (Some(_), Some(_)) => {
            fields.reject("body", "expected either body or body_url");
            fields.reject("body_url", "expected either body or body_url");
            None
        }
        (None, None) => {
            fields.reject("body", "expected body or body_url");
            None
        }
    };
    let wait = fields.flag("wait_on_process");
    if let Some(mode) = fields.text("analysis_mode")
        && !matches!(mode.as_str(), "precise" | "fast")
    {
        fields.reject("analysis_mode", "expected precise or fast");
    }
    // The larder knows no regions: the country is checked and not used.
    fields.code("country_code");
    let language = fields.code("language_code").map(|code| foods::language(&code));
    let mut nutrients = fields.names("include_nutrition_fields", &NUTRIENTS);
    if nutrients.is_empty() {
        nutrients = (0..NUTRIENTS.len()).filter(|at| USUAL.contains(&NUTRIENTS[*at])).collect();
    }
    nutrients.sort_unstable();
    nutrients.dedup();
    let wanted = Wanted {
        nutrients,
        ingredients: fields.flag("include_ingredients"),
        score: fields.flag("include_nutri_score"),
        description: fields.flag("include_dish_description"),
        language,
    };
    let consumed_at = fields.instant("consumed_at");
    fields.finish()?;
    // Without a finding there is an image.
    let image = image.unwrap_or(Image::Body(String::new()));
    Ok(Request { image, wait, wanted, consumed_at })
}

async fn contents(image: &Image) -> Result<Bytes, Problem> {
    let (location, bytes) = match image {
        Image::Body(text) => ("body.body", upload::decode(text)?),
        Image::Url(url) => ("body.body_url", fetch::get(url).await?),
    };
    upload::check_image(location, &bytes)?;
    Ok(bytes)
}

fn outcome(image: &[u8]) -> Outcome {
    match upload::image_failure(image) {
        Some(reason) => Outcome::Failed(reason.into()),
        None => Outcome::Dish((upload::checksum(image) % DISHES.len() as u64) as usize),
    }
}

fn record(world: &World, person: &Profile, request: Request, image: &[u8]) -> Meal {
    let now = world.now();
    let number = world.store().next_number();
    let ready_at = if request.wait { now } else { world.ready_at(now) };
    let eaten = request.consumed_at.unwrap_or(now);
    Meal {
        id: person.uuid("uploaded meal", number.cast_signed()),
        outcome: outcome(image),
        wanted: request.wanted,
        input_type: "image".into(),
        uploaded_at: now,
        modified_at: now,
        ready_at,
        consumed_at: request.consumed_at,
        serving: None,
        offset_minutes: calendar::offset_minutes(&person.rules, eaten.as_second()),
    }
}

pub(crate) async fn upload(State(world): State<World>, User(person): User, body: Bytes) -> Result<Json<Value>, Problem> {
    let request = read(&body)?;
    let image = contents(&request.image).await?;
    let wait = request.wait;
    let meal = record(&world, &person, request, &image);
    let answer = if wait { meal.json(world.now()) } else { meal.receipt() };
    world.store().put_meal(&person.user_id, &meal).await?;
    Ok(Json(answer))
}
