//! The wide objects, one `Option<f64>` a name. A test holds the names against the core's open sets.

use serde::Deserialize;

macro_rules! numbers {
    ($(#[$doc:meta])* $name:ident { $($member:ident)* }) => {
        $(#[$doc])*
        #[derive(Debug, Deserialize)]
        #[allow(missing_docs, reason = "the names are the wire's")]
        pub struct $name {
            $(pub $member: Option<f64>,)*
        }

        impl $name {
            /// Every name with its value, in the order declared.
            pub fn all(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
                [$((stringify!($member), self.$member),)*].into_iter()
            }
        }
    };
}

numbers! {
    /// Values of a bucket.
    StatisticsValues {
        activity_score calories_burned_active calories_burned_basal calories_burned_total distance_cycling distance_running
        distance_total distance_walking heartrate heartrate_max heartrate_min heartrate_resting hrv_rmssd hrv_sdnn
        recovery_score sleep_duration_total sleep_score sleep_skin_temperature_deviation steps stress_score
    }
}

numbers! {
    /// Nutrients.
    NutritionalFields {
        calcium_mg carbohydrate_g cholesterol_mg energy_kcal fat_monounsaturated_g fat_polyunsaturated_g fat_saturated_g
        fat_total_g fat_trans_g fiber_total_dietary_g folate_mcg iron_mg magnesium_mg manganese_mcg niacin_mg phosphorus_mg
        potassium_mg protein_g riboflavin_mg salt_g salt_mg sodium_g sodium_mg sugars_total_g thiamin_mg vitamin_a_rae_mcg
        vitamin_b12_mcg vitamin_b6_mg vitamin_c_mg vitamin_d_mcg vitamin_e_mg vitamin_k_mcg zinc_mg
    }
}

numbers! {
    /// Metrics of a sleep or a stage.
    Metrics {
        air_temperature air_temperature_max air_temperature_min ascent basal_body_temperature basal_body_temperature_max
        basal_body_temperature_min bedtime_duration blood_pressure_diastolic blood_pressure_diastolic_max
        blood_pressure_diastolic_min blood_pressure_systolic blood_pressure_systolic_max blood_pressure_systolic_min
        body_bone_mass body_fat body_fat_max body_fat_min body_mass_index body_temperature body_temperature_max
        body_temperature_min breathing_rate breathing_rate_max breathing_rate_min cadence cadence_max cadence_min
        calories_burned calories_burned_active calories_burned_basal calories_intake descent distance distance_cycling
        distance_running distance_swimming distance_walking distance_wheelchair duration_active ecg_rri ecg_voltage elevation
        elevation_gain elevation_loss elevation_max elevation_min floors_climbed glucose heartrate heartrate_max heartrate_min
        heartrate_resting heartrate_resting_max heartrate_resting_min heartrate_zone0_duration heartrate_zone1_duration
        heartrate_zone2_duration heartrate_zone3_duration heartrate_zone4_duration heartrate_zone5_duration height hrv_rmssd
        hrv_sdnn latitude longitude pace skin_temperature skin_temperature_max skin_temperature_min sleep_breathing_rate
        sleep_breathing_rate_max sleep_breathing_rate_min sleep_duration sleep_duration_awake sleep_duration_deep
        sleep_duration_light sleep_duration_nap sleep_duration_rem sleep_efficiency sleep_interruptions sleep_latency
        sleep_score sleep_skin_temperature_deviation speed speed_max speed_min spo2 spo2_max spo2_min steps
        swimming_distance_per_stroke swimming_lengths vo2max wakeup_latency weight
    }
}
