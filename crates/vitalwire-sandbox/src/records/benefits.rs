//! Policy benefits, derived from the three ids in the path.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::store::{DocumentKind, Store, StoreError};
use crate::values::crypto;
use crate::values::rng::Rng;

/// Policy whose lookup never ends.
const PENDING: &str = "policy-pending";
/// Policy whose lookup fails.
const FAILURE: &str = "policy-failure";
/// Policy that does not exist.
const MISSING: &str = "policy-missing";

/// Returns the response to a lookup of clinic, patient and policy that ends at `ready_at`. `None` if the policy does not exist.
pub(crate) fn lookup_json(seed: u64, [clinic, patient, policy]: [&str; 3], ready_at: Timestamp, now: Timestamp) -> Option<Value> {
    let status = match policy {
        MISSING => return None,
        _ if policy == PENDING || now < ready_at => "pending",
        FAILURE => "failure",
        _ => "success",
    };
    let parts: [&[u8]; 5] = [b"benefits", &seed.to_be_bytes(), clinic.as_bytes(), patient.as_bytes(), policy.as_bytes()];
    let mut body = json!({ "id": crypto::digest_uuid(&parts).to_string(), "status": status });
    if status == "success" {
        body["data"] = Value::Object(benefits_data(crypto::digest_number(&parts)));
    }
    Some(body)
}

fn benefits_data(key: u64) -> Map<String, Value> {
    let mut rng = Rng::new(key, 0, "benefits");
    let limit = rng.between(10, 60);
    let used = rng.below(limit);
    let mut account = |least: i64, most: i64| {
        let whole = rng.between(least, most) * 50;
        let met = rng.below(whole);
        [whole, met, whole - met].map(|dollars| format!("${dollars}.00"))
    };
    let [deductible, deductible_met, deductible_left] = account(10, 40);
    let [family, family_met, family_left] = account(40, 90);
    let [pocket, pocket_met, pocket_left] = account(60, 120);
    let [pocket_family, pocket_family_met, pocket_family_left] = account(120, 240);
    let (visits, visits_used) = (limit.to_string(), used.to_string());
    let reference = format!("SBX-{:06} (synthetic)", key % 1_000_000);
    [
        ("planType", "PPO"),
        ("visitLimit", &visits),
        ("visitsUsed", &visits_used),
        ("planEndDate", "2026-12-31"),
        ("networkStatus", "In network"),
        ("patientCoPay", "$25.00"),
        ("planStartDate", "2025-01-01"),
        ("deductibleFamily", &family),
        ("planEffectiveDate", "2025-01-01"),
        ("benefitsExplanation", "Synthetic benefits from a sandbox; no such plan exists."),
        ("insuranceIdentifier", "SANDBOX-INSURANCE"),
        ("patientCoInsurance", "20%"),
        ("visitLimitMaxType", "Per calendar year"),
        ("deductibleFamilyMet", &family_met),
        ("deductibleIndividual", &deductible),
        ("planTerminationDate", ""),
        ("visitLimitStructure", "Combined"),
        ("authorizationRequired", "No"),
        ("supplementalPlanName", ""),
        ("therapyThresholdSpent", "$0.00"),
        ("outOfPocketMaxFamily", &pocket_family),
        ("deductibleIndividualMet", &deductible_met),
        ("referenceNumberAndName", &reference),
        ("secondaryMedicareCovers", "No"),
        ("authorizationObtainedVia", ""),
        ("therapyThresholdSpentOT", "$0.00"),
        ("deductibleFamilyRemaining", &family_left),
        ("outOfPocketMaxFamilyMet", &pocket_family_met),
        ("outOfPocketMaxIndividual", &pocket),
        ("visitLimitMaxTypeDetails", ""),
        ("authorizationRequiredDetails", ""),
        ("deductibleIndividualRemaining", &deductible_left),
        ("outOfPocketMaxIndividualMet", &pocket_met),
        ("medicalNecessityReviewRequired", "No"),
        ("physiciansPrescriptionRequired", "Yes"),
        ("authorizationObtainedViaDetails", ""),
        ("outOfPocketMaxFamilyRemaining", &pocket_family_left),
        ("outOfPocketMaxIndividualRemaining", &pocket_left),
        ("primaryCareProviderReferralRequired", "No"),
        ("medicalNecessityReviewRequiredDetails", ""),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), Value::from(value)))
    .collect()
}

impl Store {
    /// Returns the instant of the first lookup of a policy, and stores it at the first call.
    pub(crate) async fn first_lookup(&self, ids: &[&str; 3], now: Timestamp) -> Result<Timestamp, StoreError> {
        // A digest, because path ids may be long, and different ids must not be joined into the same text.
        let id = crypto::hex(&crypto::digest(&ids.map(str::as_bytes)));
        if self.insert_once(DocumentKind::Lookup, "", &id, now, &now).await? {
            return Ok(now);
        }
        Ok(self.get(DocumentKind::Lookup, "", &id).await?.unwrap_or(now))
    }
}
