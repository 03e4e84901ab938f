//! Image uploads: every row of the interface's Errors table, and all options.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use vitalwire_sandbox::Sandbox;

use super::pictures::{FORMATS, Format, green, plate};
use super::support::{Service, TIMEOUT, is_uuid, names, seconds};

const MIB: usize = 1_048_576;

async fn upload(service: &Service, body: &Value) -> super::support::ServiceResponse {
    service.post("/nutrition_records", body).await
}

// statements: nutrition.state.created, supplement.meal.no_wrapper, supplement.meal.first_response
#[tokio::test]
async fn an_asynchronous_upload_returns_three_fields() {
    let service = Service::new().await;
    let response = upload(&service, &json!({"body": green(b"x")})).await.ok();
    let members = names(&response);
    assert_eq!(members, ["record_id", "status", "uploaded_at"]);
    assert!(is_uuid(&response["record_id"]));
    assert_eq!(response["status"], "pending");
    seconds(&response["uploaded_at"]);
    let path = format!("/nutrition_records/{}", response["record_id"].as_str().unwrap());
    assert_eq!(service.get(&path).await.ok()["status"], "completed");
    service.get_as(1, &path).await.problem(404);
}

#[tokio::test]
async fn analysis_can_take_time() {
    let second = std::time::Duration::from_secs(1);
    let service = Service::with_builder(Sandbox::builder().processing(second * 20)).await;
    let id = upload(&service, &json!({"body": green(b"x")})).await.ok()["record_id"].as_str().unwrap().to_owned();
    let path = format!("/nutrition_records/{id}");
    let mut seen = Vec::new();
    for _ in 0..3 {
        let record = service.get(&path).await.ok();
        assert_eq!(record.get("dish_name").is_some(), record["status"] == "completed");
        seen.push(record["status"].as_str().unwrap().to_owned());
        service.sandbox.app().advance(second * 10).unwrap();
    }
    assert_eq!(seen, ["pending", "processing", "completed"]);
    let body = json!({"body": green(b"x"), "wait_on_process": true});
    let (waited, ()) = tokio::join!(upload(&service, &body), async {
        service.wait_for_analysis("/nutrition_records").await;
        service.sandbox.app().advance(second * 20).unwrap();
    });
    assert_eq!(waited.ok()["status"], "completed");
}

// statements: nutrition.fields.default
#[tokio::test]
async fn without_options_a_record_has_four_nutrients() {
    let service = Service::new().await;
    for list in [json!(null), json!([])] {
        let body = json!({"body": green(b"x"), "wait_on_process": true, "include_nutrition_fields": list});
        let record = upload(&service, &body).await.ok();
        for member in ["record_id", "status", "uploaded_at", "modified_at", "dish_name", "serving_size", "unit"] {
            assert!(record.get(member).is_some(), "{member}");
        }
        let names = names(&record["nutritional_fields"]);
        assert_eq!(names, ["carbohydrate_g", "energy_kcal", "fat_total_g", "protein_g"]);
        for member in ["ingredients", "nutri_score", "dish_description", "dish_name_translated"] {
            assert!(record.get(member).is_none(), "{member}");
        }
        // Defaults to the upload time.
        assert_eq!(record["consumed_at"], record["modified_at"]);
    }
}

// statements: service.food_analysis
#[tokio::test]
async fn every_option_has_an_effect() {
    let service = Service::new().await;
    let body = json!({
        "body": green(b"x"),
        "wait_on_process": true,
        "analysis_mode": "fast",
        "include_nutrition_fields": ["salt_g", "energy_kcal", "salt_g"],
        "include_ingredients": true,
        "include_nutri_score": true,
        "include_dish_description": true,
        "country_code": "de",
        "language_code": "fr",
        "consumed_at": "2025-11-20T18:30:00",
        "a_member_of_a_later_release": {},
    });
    let record = upload(&service, &body).await.ok();
    assert_eq!(record["consumed_at"], "2025-11-20T18:30:00Z");
    assert_eq!(record["user_time_offset_minutes"], 60, "Berlin in November");
    assert_eq!(record["input_type"], "image");
    assert!(("A"..="E").contains(&record["nutri_score"].as_str().unwrap()));
    assert!(record["dish_description"].as_str().unwrap().to_lowercase().contains("synthetic"));
    assert_ne!(record["dish_name_translated"], record["dish_name"]);
    assert_eq!(names(&record["nutritional_fields"]), ["energy_kcal", "salt_g"]);
    let ingredients = record["ingredients"].as_array().unwrap();
    assert!(!ingredients.is_empty());
    let mut energy = 0.0;
    for ingredient in ingredients {
        assert!(ingredient["name"].is_string() && ingredient["name_translated"].is_string());
        assert!(["g", "ml"].contains(&ingredient["unit"].as_str().unwrap()));
        assert_eq!(names(&ingredient["nutritional_fields"]), ["energy_kcal", "salt_g"]);
        energy += ingredient["nutritional_fields"]["energy_kcal"].as_f64().unwrap();
    }
    assert!((energy - record["nutritional_fields"]["energy_kcal"].as_f64().unwrap()).abs() < 1e-6);
    let same = upload(&service, &body).await.ok();
    assert_eq!(same["dish_name"], record["dish_name"], "the contents select the dish");
    assert_ne!(same["record_id"], record["record_id"]);
}

// statements: limits.image_formats, errors.image_corrupt, errors.image_format
#[tokio::test]
async fn only_jpeg_png_and_webp_are_accepted() {
    let service = Service::new().await;
    let unsupported = async |file: &[u8]| {
        let response = upload(&service, &json!({"body": STANDARD.encode(file)})).await;
        assert_eq!(response.problem(400), ["body.body"]);
        response.text.contains("unsupported image format")
    };
    for format in FORMATS {
        let picture = plate(format, 80, [240, 240, 235]);
        let body = json!({"body": STANDARD.encode(&picture), "wait_on_process": true, "include_dish_description": true});
        let record = upload(&service, &body).await.ok();
        if !cfg!(feature = "pictures") && !matches!(format, Format::Png) {
            assert_eq!(record["status"], "completed", "{format:?} is taken by its first bytes");
            assert!(record["dish_description"].as_str().unwrap().contains("chosen by the file's checksum"));
            continue;
        }
        assert_eq!(record["dish_name"], "glass of milk");
        for length in [20, picture.len() / 2, picture.len() * 3 / 4] {
            assert!(!unsupported(&picture[..length]).await, "corrupt");
        }
    }
    for other in [&b"GIF89a\x01\0\x01\0\0\0\0;"[..], b"%PDF-1.4", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", b"BM\0\0"] {
        assert!(unsupported(other).await);
    }
    assert!(!unsupported(b"random bytes").await);
    for text in ["%%%", "/9j", "/9j/4A==\n", "_9j_4A=="] {
        let response = upload(&service, &json!({"body": text})).await;
        assert_eq!(response.problem(400), ["body.body"], "{text}");
    }
}

#[tokio::test]
async fn an_upload_needs_one_source_and_valid_fields() {
    let service = Service::new().await;
    assert_eq!(upload(&service, &json!({})).await.problem(422), ["body.body"]);
    let both = json!({"body": green(b""), "body_url": "http://127.0.0.1/"});
    assert_eq!(upload(&service, &both).await.problem(422), ["body.body", "body.body_url"]);
    let odd = json!({
        "body": green(b""), "wait_on_process": 1, "analysis_mode": "slow", "country_code": "DE", "language_code": "deu",
        "include_nutrition_fields": ["energy_kcal", "nonsense", 3], "include_ingredients": "true", "consumed_at": "noon",
    });
    assert_eq!(
        upload(&service, &odd).await.problem(422),
        [
            "body.wait_on_process",
            "body.analysis_mode",
            "body.country_code",
            "body.language_code",
            "body.include_nutrition_fields[1]",
            "body.include_nutrition_fields[2]",
            "body.include_ingredients",
            "body.consumed_at",
        ]
    );
    for text in ["", "{", "nonsense", &"[".repeat(100_000), "{\"body\": 1e999}"] {
        let request = service.request_as(0, Method::POST, "/nutrition_records").body(text.to_owned());
        let response = service.send(request).await;
        response.problem(400);
        assert_eq!(response.detail(), "validation failed");
    }
    assert_eq!(upload(&service, &json!("text")).await.problem(422), ["body"]);
}

#[tokio::test]
async fn the_middle_colour_selects_the_dish() {
    let service = Service::new().await;
    let wait = async |side: u32, colour: [u8; 3], more: Value| {
        let mut body = json!({"body": STANDARD.encode(plate(Format::Png, side, colour)), "wait_on_process": true});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        upload(&service, &body).await.ok()
    };
    for (colour, name) in [([200, 115, 70], "pasta with tomato sauce"), ([90, 145, 55], "mixed salad with olive oil")] {
        assert_eq!(wait(100, colour, json!({})).await["dish_name"], name);
    }
    let flat = wait(64, [30, 30, 30], json!({})).await;
    assert_eq!((flat["status"].as_str(), flat["failure_reason"].as_str()), (Some("failed"), Some("Unable to identify food items")));
    let dark = wait(64, [15, 15, 15], json!({})).await;
    assert_eq!(dark["failure_reason"], "Image quality is too poor");
    assert_eq!(wait(8, [30, 30, 30], json!({})).await["status"], "completed", "too small to be judged");
}

#[tokio::test]
async fn modes_differ_in_portion_and_a_country_selects_a_language() {
    let service = Service::new().await;
    let picture = green(b"some");
    let wait = async |more: Value| {
        let mut body = json!({"body": picture, "wait_on_process": true, "include_dish_description": true});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        upload(&service, &body).await.ok()
    };
    let (fast, precise) = (wait(json!({"analysis_mode": "fast"})).await, wait(json!({})).await);
    assert_eq!(fast["dish_name"], "mixed salad with olive oil");
    assert_eq!(precise["dish_name"], fast["dish_name"]);
    // 200 g of salad and 15 g of oil. Precise: 0.8 to 1.2 times that, in steps of 5 g.
    assert_eq!(fast["serving_size"], 215.0);
    let seen = precise["serving_size"].as_f64().unwrap();
    assert!((170.0..=260.0).contains(&seen) && seen % 5.0 == 0.0 && seen != 215.0, "{seen}");
    let energy = |record: &Value| record["nutritional_fields"]["energy_kcal"].as_f64().unwrap();
    assert!((energy(&fast) - (22.0 * 2.0 + 884.0 * 0.15)).abs() < 1e-6);
    assert!((energy(&precise) - energy(&fast) * seen / 215.0).abs() < 1e-6);
    for (record, mode) in [(&fast, "fast"), (&precise, "precise")] {
        let description = record["dish_description"].as_str().unwrap();
        assert!(description.starts_with("Synthetic") && description.contains(mode), "{description}");
    }
    assert_eq!(
        wait(json!({"analysis_mode": "precise"})).await["serving_size"],
        precise["serving_size"],
        "the portion depends only on the file"
    );

    for (codes, name) in [
        (json!({"country_code": "at"}), "gemischter Salat mit Olivenöl"),
        (json!({"country_code": "at", "language_code": "fr"}), "salade composée à l'huile d'olive"),
        (json!({"language_code": "de"}), "gemischter Salat mit Olivenöl"),
        (json!({"country_code": "jp"}), "mixed salad with olive oil"),
    ] {
        let record = wait(codes).await;
        assert_eq!(record["dish_name_translated"], name);
        assert!(record["dish_description_translated"].as_str().unwrap().contains(name));
    }
}

#[tokio::test]
async fn a_fast_analysis_takes_half_the_time() {
    let second = std::time::Duration::from_secs(1);
    let service = Service::with_builder(Sandbox::builder().processing(second * 20)).await;
    let mut paths = Vec::new();
    for mode in ["fast", "precise"] {
        let record = upload(&service, &json!({"body": green(b"x"), "analysis_mode": mode})).await.ok();
        paths.push(format!("/nutrition_records/{}", record["record_id"].as_str().unwrap()));
    }
    service.sandbox.app().advance(second * 10).unwrap();
    assert_eq!(service.get(&paths[0]).await.ok()["status"], "completed");
    assert_eq!(service.get(&paths[1]).await.ok()["status"], "processing");
}

// statements: nutrition.state.failed, errors.analysis_failed, supplement.lenient.failed_status, supplement.meal.failure
#[tokio::test]
async fn a_failed_analysis_is_a_record() {
    let service = Service::new().await;
    for (mark, reason) in [("synthetic:unidentifiable", "Unable to identify food items"), ("synthetic:timeout", "Analysis timed out")] {
        let body = json!({"body": green(mark.as_bytes()), "wait_on_process": true});
        let record = upload(&service, &body).await.ok();
        assert_eq!(record["status"], "failed");
        assert_eq!(record["failure_reason"], reason);
        assert!(record.get("dish_name").is_none());
        let path = format!("/nutrition_records/{}", record["record_id"].as_str().unwrap());
        assert_eq!(service.get(&path).await.ok()["status"], "failed");
        service.patch(&path, &json!({"serving_size": 10})).await.problem(422);
    }
}

/// Returns a body of `whole` bytes with a base64 text of `text` bytes: a picture followed by zeros.
fn upload_body(text: usize, whole: usize) -> String {
    let mut picture = plate(Format::Jpeg, 64, [95, 140, 60]);
    picture.resize(picture.len().next_multiple_of(3), 0);
    let picture = STANDARD.encode(picture);
    let mut body = String::with_capacity(whole);
    body.push_str("{\"body\":\"");
    body.push_str(&picture);
    body.extend(std::iter::repeat_n('A', text.saturating_sub(picture.len())));
    body.push_str("\"}");
    body.extend(std::iter::repeat_n(' ', whole - body.len()));
    body
}

// statements: errors.image_too_large, errors.request_too_large, limits.image_size, limits.request_size, supplement.error.gateway
// statements: supplement.lenient.html_pages
#[tokio::test]
async fn large_uploads_are_a_problem_and_huge_ones_a_gateway_page() {
    let service = Service::new().await;
    let send = |body: String| service.send(service.request_as(0, Method::POST, "/nutrition_records").body(body));
    assert_eq!(send(upload_body(10 * MIB, 10 * MIB + 100)).await.status, StatusCode::OK);
    assert_eq!(send(upload_body(10 * MIB + 4, 10 * MIB + 100)).await.problem(413), ["body.body"]);
    assert_eq!(send(upload_body(10 * MIB + 4, 11 * MIB)).await.problem(413), ["body.body"]);
    for whole in [11 * MIB + 1, 20 * MIB] {
        let response = send(upload_body(4 * MIB, whole)).await;
        assert_eq!(response.status, StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(response.headers["content-type"], "text/html");
        assert!(response.text.starts_with("<html>"));
    }
    // The gateway checks the size before the token.
    let response = service.send(service.anonymous(Method::POST, "/nutrition_records").body(upload_body(8, 11 * MIB + 1))).await;
    assert_eq!(response.status, StatusCode::PAYLOAD_TOO_LARGE);
}

/// Starts an HTTP host on loopback. Each path has its own response.
async fn start_image_host() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = vec![0; 4096];
                let count = stream.read(&mut request).await.unwrap();
                let request = String::from_utf8_lossy(&request[..count]).into_owned();
                let (status, body) = match request.split(' ').nth(1).unwrap() {
                    "/meal.jpg?size=1" => ("200 OK", plate(Format::Jpeg, 64, [95, 140, 60])),
                    "/large.jpg" => ("200 OK", [vec![0xff, 0xd8, 0xff], vec![0; 10 * MIB]].concat()),
                    "/moved.jpg" => ("302 Found\r\nlocation: /meal.jpg?size=1", Vec::new()),
                    "/elsewhere.jpg" => ("302 Found\r\nlocation: http://127.0.0.2:9/meal.jpg", Vec::new()),
                    "/circle.jpg" => ("307 Temporary Redirect\r\nlocation: circle.jpg", Vec::new()),
                    "/broken.jpg" => ("200 OK", vec![0xff, 0xd8, 0xff, 0xe0]),
                    "/private.jpg" => ("403 Forbidden", Vec::new()),
                    "/page" => ("200 OK", b"<html>".to_vec()),
                    _ => ("404 Not Found", Vec::new()),
                };
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                stream.write_all(head.as_bytes()).await.unwrap();
                let _ = stream.write_all(&body).await;
            });
        }
    });
    format!("http://{address}")
}

// statements: errors.body_url_not_found
#[tokio::test]
async fn an_image_can_come_from_a_url_on_this_machine() {
    let service = Service::new().await;
    let host = start_image_host().await;
    let at = async |url: String| upload(&service, &json!({"body_url": url, "wait_on_process": true})).await;
    assert_eq!(at(format!("{host}/meal.jpg?size=1")).await.ok()["status"], "completed");
    let named = host.replace("127.0.0.1", "localhost");
    assert_eq!(at(format!("{named}/meal.jpg?size=1")).await.ok()["status"], "completed");
    assert_eq!(at(format!("{host}/missing.jpg")).await.problem(422), ["body.body_url"]);
    assert_eq!(at(format!("{host}/moved.jpg")).await.ok()["status"], "completed", "within the host");
    for path in ["elsewhere.jpg", "circle.jpg", "private.jpg"] {
        assert_eq!(at(format!("{host}/{path}")).await.problem(422), ["body.body_url"], "{path}");
    }
    assert_eq!(at(format!("{host}/broken.jpg")).await.problem(400), ["body.body_url"]);
    assert_eq!(at(format!("{host}/page")).await.problem(400), ["body.body_url"]);
    assert_eq!(at(format!("{host}/large.jpg")).await.problem(413), ["body.body_url"]);
    for url in [
        "",
        "nonsense",
        "ftp://127.0.0.1/a.jpg",
        "file:///etc/hostname",
        "http://192.0.2.1/a.jpg",
        "https://example.com/a.jpg",
        "http://127.0.0.1.example.com/a.jpg",
        "http://127.0.0.1:1/a.jpg",
    ] {
        assert_eq!(at(url.to_owned()).await.problem(422), ["body.body_url"], "{url}");
    }
}

#[tokio::test]
async fn fetching_from_a_stalled_host_times_out() {
    let service = Service::new().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/slow.jpg", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n\xff\xd8\xff").await;
        std::future::pending::<()>().await;
    });
    let started = std::time::Instant::now();
    let response = upload(&service, &json!({"body_url": url})).await;
    assert_eq!(response.problem(422), ["body.body_url"]);
    assert!(started.elapsed() < TIMEOUT, "{:?}", started.elapsed());
}

#[tokio::test]
async fn another_host_can_be_allowed_by_name() {
    // Names below `.invalid` never resolve, so an allowed host is unreachable.
    let service = Service::with_builder(Sandbox::builder().allow_host("pictures.invalid:80")).await;
    let error_message = async |url: &str| {
        let response = upload(&service, &json!({"body_url": url})).await;
        assert_eq!(response.problem(422), ["body.body_url"]);
        response.json()["errors"][0]["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(error_message("http://pictures.invalid/a.jpg").await, "the host cannot be reached");
    assert!(error_message("http://pictures.invalid:81/a.jpg").await.contains("only by plain http"));
    assert!(error_message("http://example.com/a.jpg").await.contains("only by plain http"));
}
