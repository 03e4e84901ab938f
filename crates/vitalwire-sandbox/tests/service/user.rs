//! User information and properties.

use serde_json::Value;

use super::support::{Service, is_uuid, seconds};

#[tokio::test]
async fn user_information_has_every_documented_field() {
    let service = Service::new().await;
    for at in 0..4 {
        let info = service.get_as(at, "/userinfo").await.ok();
        assert_eq!(info.as_object().unwrap().len(), 7);
        assert_eq!(info["application_id"], service.sandbox.application_id());
        assert_eq!(info["application_user_id"], service.sandbox.people()[at].user_id);
        for member in ["compat_application_client_id", "compat_application_client_token", "uid"] {
            assert!(is_uuid(&info[member]), "{member}");
        }
        seconds(&info["created_at"]);
        let providers = info["integrated_providers"].as_array().unwrap();
        assert!(providers.len() >= 2);
        for provider in providers {
            assert_eq!(provider.as_object().unwrap().len(), 4);
            seconds(&provider["created_at"]);
            assert!(provider["is_integration_broken"].is_boolean());
            assert!(provider["provider_integration_id"].is_i64());
            assert!(provider["provider_slug"].is_string());
        }
        let broken = providers.iter().filter(|provider| provider["is_integration_broken"] == true).count();
        assert_eq!(broken, usize::from(at == 1), "person-2 has the broken one");
    }
}

#[tokio::test]
async fn user_properties_are_wrapped_and_complete() {
    let service = Service::new().await;
    for at in 0..4 {
        let body = service.get_as(at, "/userproperties").await.ok();
        assert_eq!(body.as_object().unwrap().len(), 1);
        let properties = &body["properties"];
        let texts = ["birth_date", "gender", "language", "timezone"];
        let numbers = ["body_bone_mass", "body_fat", "body_mass_index", "height", "resting_heartrate", "weight"];
        assert_eq!(properties.as_object().unwrap().len(), texts.len() + numbers.len() + 1);
        assert!(texts.iter().all(|name| properties[name].is_string()));
        assert!(numbers.iter().all(|name| properties[name].is_number()));
        let year = properties["birth_year"].as_i64().unwrap();
        assert_eq!(properties["birth_date"].as_str().unwrap()[..4], year.to_string());
        assert!(["unknown", "Other", "male", "female"].contains(&properties["gender"].as_str().unwrap()));
        assert_eq!(properties["timezone"], service.sandbox.people()[at].time_zone);
        let number = |name: &str| properties[name].as_f64().unwrap();
        let index = number("weight") / (number("height") * number("height"));
        assert!((index - number("body_mass_index")).abs() <= 0.051);
        assert!((48.0..=70.0).contains(&number("resting_heartrate")));
    }
}

#[tokio::test]
async fn unknown_paths_and_methods_are_problems() {
    let service = Service::new().await;
    for path in ["/", "/userinfo/", "/applicationinfo", "/queries/sleeps", "/userinfo%2F"] {
        service.get(path).await.problem(404);
    }
    service.delete("/userinfo").await.problem(405);
    let odd = service.get("/queries/sleeps/%FF%FE").await;
    assert_eq!(odd.problem(422), ["path"]);
    for id in ["%00", "..%2F..%2Fetc", "%F0%9F%92%A4", "null", "-1"] {
        service.get(&format!("/queries/sleeps/{id}")).await.problem(404);
        service.get(&format!("/lab_reports/{id}")).await.problem(404);
        service.get(&format!("/nutrition_records/{id}")).await.problem(404);
    }
    let _: Value = service.get("/userinfo").await.ok();
}
