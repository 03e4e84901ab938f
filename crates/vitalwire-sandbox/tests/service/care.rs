//! Policy benefits.

use http::Method;
use serde_json::Value;
use vitalwire_sandbox::Sandbox;

use super::support::{Service, ServiceResponse, is_uuid, names};

/// Fields of `data`, from the interface document.
const MEMBERS: &str = "planType, visitLimit, visitsUsed, planEndDate, networkStatus, patientCoPay, planStartDate, deductibleFamily, \
    planEffectiveDate, benefitsExplanation, insuranceIdentifier, patientCoInsurance, visitLimitMaxType, deductibleFamilyMet, \
    deductibleIndividual, planTerminationDate, visitLimitStructure, authorizationRequired, supplementalPlanName, therapyThresholdSpent, \
    outOfPocketMaxFamily, deductibleIndividualMet, referenceNumberAndName, secondaryMedicareCovers, authorizationObtainedVia, \
    therapyThresholdSpentOT, deductibleFamilyRemaining, outOfPocketMaxFamilyMet, outOfPocketMaxIndividual, visitLimitMaxTypeDetails, \
    authorizationRequiredDetails, deductibleIndividualRemaining, outOfPocketMaxIndividualMet, medicalNecessityReviewRequired, \
    physiciansPrescriptionRequired, authorizationObtainedViaDetails, outOfPocketMaxFamilyRemaining, outOfPocketMaxIndividualRemaining, \
    primaryCareProviderReferralRequired, medicalNecessityReviewRequiredDetails";

async fn ask(service: &Service, policy: &str, token: &str) -> ServiceResponse {
    let url = format!("{}/public/v1/clinics/c-1/patients/p-1/policies/{policy}/benefits", service.sandbox.care_base_url());
    service.send(service.http.request(Method::GET, url).bearer_auth(token)).await
}

// statements: service.policy_benefits
#[tokio::test]
async fn benefits_are_texts() {
    let service = Service::new().await;
    let response = ask(&service, "policy-1", service.sandbox.care_token()).await.ok();
    assert!(is_uuid(&response["id"]));
    assert_eq!(response["status"], "success");
    let data = response["data"].as_object().unwrap();
    let mut expected: Vec<&str> = MEMBERS.split(", ").map(str::trim).collect();
    expected.sort_unstable();
    assert_eq!(names(&response["data"]), expected);
    assert!(data.values().all(Value::is_string));
    let second = ask(&service, "policy-1", service.sandbox.care_token()).await.ok();
    assert_eq!(second, response);
    let other = ask(&service, "policy-2", service.sandbox.care_token()).await.ok();
    assert_ne!(other["id"], response["id"]);
}

// statements: supplement.benefits.states, supplement.error.conditions
#[tokio::test]
async fn special_policies_are_pending_failed_or_missing() {
    let service = Service::new().await;
    let token = service.sandbox.care_token();
    for (policy, status) in [("policy-pending", "pending"), ("policy-failure", "failure")] {
        let response = ask(&service, policy, token).await.ok();
        assert_eq!(response["status"], status);
        assert!(response.get("data").is_none());
    }
    ask(&service, "policy-missing", token).await.problem(404);
}

// statements: supplement.benefits.states
#[tokio::test]
async fn a_slow_lookup_is_pending_first() {
    let minute = std::time::Duration::from_secs(60);
    let service = Service::with_builder(Sandbox::builder().benefits_lookup(minute)).await;
    let token = service.sandbox.care_token();
    assert_eq!(ask(&service, "policy-1", token).await.ok()["status"], "pending");
    service.sandbox.app().advance(minute).unwrap();
    assert_eq!(ask(&service, "policy-1", token).await.ok()["status"], "success");
    assert_eq!(ask(&service, "policy-2", token).await.ok()["status"], "pending");
}

// statements: supplement.token.care
#[tokio::test]
async fn the_two_services_do_not_share_tokens() {
    let service = Service::new().await;
    let response = ask(&service, "policy-1", service.sandbox.token()).await;
    response.problem(401);
    assert_eq!(response.detail(), "invalid authorization header");
    let main = service.anonymous(Method::GET, "/userinfo").bearer_auth(service.sandbox.care_token());
    service.send(main).await.problem(401);
}
