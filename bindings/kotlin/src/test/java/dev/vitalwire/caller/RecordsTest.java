package dev.vitalwire.caller;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vitalwire.*;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that Java code can create and read every record, map and open set. */
class RecordsTest {
    private static void same(Object one, Object other, String shown) {
        assertEquals(one, other);
        assertEquals(one.hashCode(), other.hashCode());
        assertEquals(shown, one.toString());
    }

    private static void known(OpenSet value, List<? extends OpenSet> all) {
        assertTrue(value.isKnown());
        assertTrue(all.contains(value));
        assertFalse(value.getText().isEmpty());
    }

    @Test
    void aNightHasEveryField() {
        SleepStage stage = SleepStage.builder().stage(SleepStageName.DEEP).duration(Duration.ofMinutes(40)).build();
        Metrics metrics = Metrics.builder().put(MetricName.HEARTRATE, 51.5).build();
        SleepSampleValues values = SleepSampleValues.builder().put(MetricName.HEARTRATE, Series.of(50.0, 53.0)).build();
        SleepRecord night = SleepRecord.builder()
                .id("night-1")
                .startAt(Instant.parse("2025-03-02T22:10:00Z"))
                .sleepDate(LocalDate.of(2025, 3, 3))
                .duration(Duration.ofHours(7))
                .stages(List.of(stage))
                .metrics(metrics)
                .samples(SleepSamples.builder().values(values).build())
                .extra(Map.of("new", "1"))
                .build();
        assertEquals(Duration.ofHours(7), night.getDuration());
        assertEquals(Duration.ofMinutes(40), night.getStages().get(0).getDuration());
        assertEquals(LocalDate.of(2025, 3, 3), night.getSleepDate());
        assertEquals(51.5, night.getMetrics().getHeartrate());
        assertEquals(51.5, night.getMetrics().get(MetricName.HEARTRATE));
        assertArrayEquals(new double[] {50.0, 53.0}, night.getSamples().getValues().get(MetricName.HEARTRATE).toDoubleArray());
        assertNull(night.getEndAt());
        assertFalse(night.getStagesIsNull());
        assertEquals("count", MetricName.STEPS.getUnit());
    }

    @Test
    void everyRecordHasABuilder() {
        {
            BenefitsData.Builder builder = BenefitsData.builder();
            BenefitsData record = builder.build();
            same(record, record.toBuilder().build(), "BenefitsData(..)");
        }
        {
            DailyBucket.Builder builder = DailyBucket.builder();
            DailyBucket record = builder.build();
            same(record, record.toBuilder().build(), "DailyBucket(..)");
        }
        {
            DailyStatistics.Builder builder = DailyStatistics.builder();
            DailyStatistics record = builder.build();
            same(record, record.toBuilder().build(), "DailyStatistics(..)");
        }
        {
            Ingredient.Builder builder = Ingredient.builder();
            Ingredient record = builder.build();
            same(record, record.toBuilder().build(), "Ingredient(..)");
        }
        {
            IntegratedProvider.Builder builder = IntegratedProvider.builder();
            IntegratedProvider record = builder.build();
            same(record, record.toBuilder().build(), "IntegratedProvider(..)");
        }
        {
            IntegrationInit.Builder builder = IntegrationInit.builder();
            IntegrationInit record = builder.build();
            same(record, record.toBuilder().build(), "IntegrationInit(..)");
        }
        {
            IntervalBucket.Builder builder = IntervalBucket.builder();
            IntervalBucket record = builder.build();
            same(record, record.toBuilder().build(), "IntervalBucket(..)");
        }
        {
            IntervalStatistics.Builder builder = IntervalStatistics.builder();
            IntervalStatistics record = builder.build();
            same(record, record.toBuilder().build(), "IntervalStatistics(..)");
        }
        {
            LabInformation.Builder builder = LabInformation.builder();
            LabInformation record = builder.build();
            same(record, record.toBuilder().build(), "LabInformation(..)");
        }
        {
            LabReport.Builder builder = LabReport.builder();
            LabReport record = builder.build();
            same(record, record.toBuilder().build(), "LabReport(..)");
        }
        {
            LabReportResponse.Builder builder = LabReportResponse.builder();
            LabReportResponse record = builder.build();
            same(record, record.toBuilder().build(), "LabReportResponse(..)");
        }
        {
            LabResult.Builder builder = LabResult.builder();
            LabResult record = builder.build();
            same(record, record.toBuilder().build(), "LabResult(..)");
        }
        {
            LabSection.Builder builder = LabSection.builder();
            LabSection record = builder.build();
            same(record, record.toBuilder().build(), "LabSection(..)");
        }
        {
            NutritionRecord.Builder builder = NutritionRecord.builder();
            NutritionRecord record = builder.build();
            same(record, record.toBuilder().build(), "NutritionRecord(..)");
        }
        {
            NutritionUploadResponse.Builder builder = NutritionUploadResponse.builder();
            NutritionUploadResponse record = builder.build();
            same(record, record.toBuilder().build(), "NutritionUploadResponse(..)");
        }
        {
            PatientInformation.Builder builder = PatientInformation.builder();
            PatientInformation record = builder.build();
            same(record, record.toBuilder().build(), "PatientInformation(..)");
        }
        {
            PolicyBenefits.Builder builder = PolicyBenefits.builder();
            PolicyBenefits record = builder.build();
            same(record, record.toBuilder().build(), "PolicyBenefits(..)");
        }
        {
            ProblemDetails.Builder builder = ProblemDetails.builder();
            ProblemDetails record = builder.build();
            same(record, record.toBuilder().build(), "ProblemDetails(..)");
        }
        {
            ProblemItem.Builder builder = ProblemItem.builder();
            ProblemItem record = builder.build();
            same(record, record.toBuilder().build(), "ProblemItem(..)");
        }
        {
            SleepRecord.Builder builder = SleepRecord.builder();
            SleepRecord record = builder.build();
            same(record, record.toBuilder().build(), "SleepRecord(..)");
        }
        {
            SleepSamples.Builder builder = SleepSamples.builder();
            SleepSamples record = builder.build();
            same(record, record.toBuilder().build(), "SleepSamples(..)");
        }
        {
            SleepSource.Builder builder = SleepSource.builder();
            SleepSource record = builder.build();
            same(record, record.toBuilder().build(), "SleepSource(..)");
        }
        {
            SleepStage.Builder builder = SleepStage.builder();
            SleepStage record = builder.build();
            same(record, record.toBuilder().build(), "SleepStage(..)");
        }
        {
            TokenResponse.Builder builder = TokenResponse.builder();
            TokenResponse record = builder.build();
            same(record, record.toBuilder().build(), "TokenResponse(..)");
        }
        {
            UserInfo.Builder builder = UserInfo.builder();
            UserInfo record = builder.build();
            same(record, record.toBuilder().build(), "UserInfo(..)");
        }
        {
            UserProperties.Builder builder = UserProperties.builder();
            UserProperties record = builder.build();
            same(record, record.toBuilder().build(), "UserProperties(..)");
        }
        {
            UserPropertiesResponse.Builder builder = UserPropertiesResponse.builder();
            UserPropertiesResponse record = builder.build();
            same(record, record.toBuilder().build(), "UserPropertiesResponse(..)");
        }
    }

    @Test
    void everyMapHasABuilder() {
        Metrics.Builder metrics = Metrics.builder();
        NumberMap.Builder<MetricName, Metrics.Builder> numbers = metrics;
        numbers.set(MetricName.STEPS, 1.0);
        NumberMap<MetricName> map = metrics.build();
        assertEquals(Map.of(MetricName.STEPS, 1.0), map.getValues());
        StatisticsValues.Builder statistics = StatisticsValues.builder();
        StatisticsValues values = statistics.build();
        same(values, values.toBuilder().build(), "StatisticsValues(..)");
        NutritionalFields.Builder fields = NutritionalFields.builder().basis(NumberBasis.PER_100);
        NutritionalFields built = fields.build();
        assertEquals(NumberBasis.PER_100, built.getBasis());
        same(built, built.toBuilder().build(), "NutritionalFields(..)");
        SleepSampleValues.Builder samples = SleepSampleValues.builder();
        SeriesMap.Builder<MetricName, SleepSampleValues.Builder> series = samples;
        series.set(MetricName.STEPS, Series.EMPTY);
        SeriesMap<MetricName> made = samples.build();
        assertEquals(Series.EMPTY, made.get(MetricName.STEPS));
    }

    @Test
    void everyOpenSetKeepsUnknownNames() {
        known(NumberBasis.UNKNOWN, NumberBasis.getAllKnown());
        known(new AnalysisMode("precise"), AnalysisMode.getAllKnown());
        known(new BenefitsStatus("pending"), BenefitsStatus.getAllKnown());
        known(new DeviceType("unknown"), DeviceType.getAllKnown());
        known(new Gender("unknown"), Gender.getAllKnown());
        known(new LabReportStatus("pending"), LabReportStatus.getAllKnown());
        known(new MetricName("air_temperature"), MetricName.getAllKnown());
        known(new NutriScore("A"), NutriScore.getAllKnown());
        known(new NutrientName("calcium_mg"), NutrientName.getAllKnown());
        known(new NutritionInputType("image"), NutritionInputType.getAllKnown());
        known(new NutritionStatus("pending"), NutritionStatus.getAllKnown());
        known(new NutritionUnit("g"), NutritionUnit.getAllKnown());
        known(new ProviderSlug("apple"), ProviderSlug.getAllKnown());
        known(new SleepInputMethod("unknown"), SleepInputMethod.getAllKnown());
        known(new SleepStageName("awake"), SleepStageName.getAllKnown());
        known(new StatisticName("activity_score"), StatisticName.getAllKnown());
        known(new StatisticsInterval("1h"), StatisticsInterval.getAllKnown());
    }
}
