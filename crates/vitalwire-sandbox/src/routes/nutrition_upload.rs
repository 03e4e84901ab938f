//! Operation that uploads the image of a meal.

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use serde_json::Value;

use super::auth::User;
use crate::analysis::AnalysisMode;
use crate::analysis::dish;
use crate::analysis::picture::Picture;
use crate::app::AppState;
use crate::people::profile::Profile;
use crate::processing::AnalysisKind;
use crate::records::nutrition::{AnalysisOutcome, Meal, RecordOptions};
use crate::reference::foods;
use crate::spec::names;
use crate::uploads;
use crate::uploads::fetch;
use crate::web::fields::Fields;
use crate::web::problem::Problem;

enum ImageSource {
    Body(String),
    Url(String),
}

struct UploadRequest {
    image: ImageSource,
    wait: bool,
    analysis: AnalysisMode,
    options: RecordOptions,
    consumed_at: Option<jiff::Timestamp>,
}

fn parse_request(body: &Bytes) -> Result<UploadRequest, Problem> {
    let mut fields = Fields::parse(body)?;
    let image = match (fields.text("body"), fields.text("body_url")) {
        (Some(body), None) => Some(ImageSource::Body(body)),
        (None, Some(url)) => Some(ImageSource::Url(url)),
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
    let analysis = match fields.text("analysis_mode").as_deref() {
        None | Some("precise") => AnalysisMode::Precise,
        Some("fast") => AnalysisMode::Fast,
        Some(_) => {
            fields.reject("analysis_mode", "expected precise or fast");
            AnalysisMode::Precise
        }
    };
    // There are no regional dishes: without a language, the country selects the language.
    let country = fields.code("country_code");
    let language = fields.code("language_code").map(|code| foods::language_index(&code));
    let language = language.or_else(|| country.map(|code| foods::language_index(country_language(&code))));
    let requested = fields.names("include_nutrition_fields", names::UPLOAD_NUTRITION_RECORD_INCLUDE_NUTRITION_FIELDS);
    let nutrients = if requested.is_empty() { foods::DEFAULT_NUTRIENTS.to_vec() } else { requested };
    let nutrients = nutrients.into_iter().map(str::to_owned).collect();
    let options = RecordOptions {
        nutrients,
        ingredients: fields.flag("include_ingredients"),
        score: fields.flag("include_nutri_score"),
        description: fields.flag("include_dish_description"),
        language,
    };
    let consumed_at = fields.instant("consumed_at");
    fields.finish()?;
    // If `finish` succeeds, there is an image.
    let image = image.unwrap_or(ImageSource::Body(String::new()));
    Ok(UploadRequest { image, wait, analysis, options, consumed_at })
}

/// Returns the language of a country, if the sandbox has dish names in that language. Defaults to English.
fn country_language(country: &str) -> &'static str {
    match country {
        "de" | "at" | "ch" | "li" => "de",
        "fr" | "be" | "lu" | "mc" => "fr",
        _ => "en",
    }
}

async fn load_image(app: &AppState, image: &ImageSource) -> Result<(Bytes, Option<Picture>), Problem> {
    let (location, bytes) = match image {
        ImageSource::Body(text) => ("body.body", uploads::decode_base64(text)?),
        ImageSource::Url(url) => ("body.body_url", fetch::fetch_image(&app.settings().outbound, url).await?),
    };
    let picture = uploads::decode_picture(location, &bytes).await?;
    Ok((bytes, picture))
}

fn analyse(image: &[u8], picture: Option<&Picture>, key: u64) -> AnalysisOutcome {
    match uploads::image_failure(image).map_or_else(|| dish::choose(picture, key), Err) {
        Ok(dish) => AnalysisOutcome::Dish(dish),
        Err(reason) => AnalysisOutcome::Failed(reason.into()),
    }
}

fn create_meal(app: &AppState, person: &Profile, request: UploadRequest, image: &[u8], picture: Option<&Picture>) -> Meal {
    let key = uploads::checksum(image);
    let now = app.now();
    let number = app.store().next_number();
    let kind = if request.analysis == AnalysisMode::Fast { AnalysisKind::FastMeal } else { AnalysisKind::Meal };
    let schedule = app.processing().schedule(kind, key, now, request.wait);
    let eaten = request.consumed_at.unwrap_or(now);
    Meal {
        id: person.uuid("uploaded meal", number.cast_signed()),
        outcome: schedule.failure.map_or_else(|| analyse(image, picture, key), |reason| AnalysisOutcome::Failed(reason.into())),
        analysis: request.analysis,
        not_decoded: picture.is_none(),
        portion: if request.analysis == AnalysisMode::Precise { dish::portion(key) } else { 1.0 },
        options: request.options,
        input_type: "image".into(),
        uploaded_at: now,
        modified_at: now,
        ready_at: schedule.ready_at,
        consumed_at: request.consumed_at,
        serving: None,
        offset_minutes: person.offset_minutes(eaten),
    }
}

pub(crate) async fn upload(State(app): State<AppState>, User(person): User, body: Bytes) -> Result<Json<Value>, Problem> {
    let request = parse_request(&body)?;
    let (image, picture) = load_image(&app, &request.image).await?;
    let wait = request.wait;
    let meal = create_meal(&app, &person, request, &image, picture.as_ref());
    // Frees memory for others, because the wait may be long.
    drop((body, image, picture));
    app.store().put_meal(&person.user_id, &meal).await?;
    app.webhooks().announce_meal(&person.user_id, &meal).await?;
    if !wait {
        return Ok(Json(meal.receipt()));
    }
    let meal = app.processing().wait_for_meal(&person.user_id, meal).await?;
    Ok(Json(meal.json(app.now())))
}
