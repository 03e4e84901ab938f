package dev.vitalwire.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vitalwire.*;
import java.io.File;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application in Java that tests all calls, waits, cancellation and error handling from Java. */
class JavaCallerTest {
    private static final byte[] PICTURE = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

    private static VitalwireClient client(MockResponses responses) {
        VitalwireClient.Builder builder = VitalwireClient.builder();
        ClientSettings<VitalwireClient.Builder> settings = builder;
        settings.maxRetries(2);
        return builder.mockResponses(responses).build();
    }

    private static <T> T of(CompletableFuture<T> call) throws Exception {
        return call.get(30, TimeUnit.SECONDS);
    }

    @Test
    void everyCallReturnsItsRecord() throws Exception {
        try (VitalwireClient client = client(MockResponses.samples())) {
            AsyncVitalwireClient async = client.async();
            AsyncSleeps sleeps = async.sleeps();
            GetSleepOptions options = GetSleepOptions.builder().includeStages(true).timeout(Duration.ofSeconds(20)).build();
            SleepRecord night = of(sleeps.get("any", options));
            assertFalse(night.getStages().isEmpty());
            assertEquals(Duration.ofSeconds(20), options.getTimeout());
            BaseCallOptions base = options;
            assertEquals(options, base);

            AsyncUser user = async.user();
            assertNotNull(of(user.info()).getUid());
            assertNotNull(of(user.properties(GetUserPropertiesOptions.DEFAULT)));

            AsyncLabReports labs = async.labReports();
            assertFalse(of(labs.list(ListLabReportsOptions.builder().from(Instant.EPOCH).to(Instant.now()).build())).isEmpty());
            assertNotNull(of(labs.get("any")));
            assertNotNull(of(labs.upload(PICTURE, "a.png", UploadLabReportOptions.builder().waitOnProcess(false).build())));

            AsyncNutritionRecords meals = async.nutritionRecords();
            assertFalse(of(meals.list(ListNutritionRecordsOptions.DEFAULT)).isEmpty());
            assertNotNull(of(meals.update("any", 1.5)));
            assertNull(of(meals.delete("any")));

            AsyncStatistics statistics = async.statistics();
            List<StatisticName> types = List.of(StatisticName.STEPS);
            LocalDate day = LocalDate.of(2025, 3, 2);
            assertNotNull(of(statistics.daily(day, day, types, DailyStatisticsOptions.builder().excludeManual(true).build())));
            assertNotNull(of(statistics.interval(StatisticsInterval.ONE_HOUR, types, IntervalStatisticsOptions.builder().build())));

            AsyncIntegrations integrations = async.integrations();
            assertNotNull(of(integrations.initUrl(ProviderSlug.GARMIN, InitIntegrationOptions.builder().state("s").build())));
            assertNull(of(integrations.delete(ProviderSlug.GARMIN)));

            AsyncTokens tokens = async.tokens();
            assertNotNull(of(tokens.exchange(1L, "user", "signature")));

            AsyncCare care = async.care();
            assertNotNull(of(care.benefits("clinic", "patient", "policy")));

            Response<UserInfo> response = of(async.withResponse(calls -> calls.user().info()));
            assertEquals(200, response.getStatus());
            assertEquals(1, response.getAttempts());
            List<SkippedItem> skipped = response.getSkippedItems();
            assertEquals(List.of(), skipped);
            assertFalse(response.getElapsed().isNegative());
            Response<List<LabReport>> list = of(async.withResponse(calls -> calls.labReports().list(ListLabReportsOptions.DEFAULT)));
            Table reports = of(Tables.labResultsTable(list.getValue(), list.getSkippedItems()));
            assertEquals(Map.of(), reports.getSkippedByColumn());
            assertEquals(0, reports.getSkippedCount());
            Table stages = of(of(async.sleeps().get("any", options)).sleepStagesTable());
            assertEquals(0, stages.getSkippedCount());
        }
    }

    @Test
    void buildersSetEveryOption() {
        GetUserInfoOptions.Builder call = GetUserInfoOptions.builder();
        BaseCallOptions.Builder<GetUserInfoOptions.Builder> same = call;
        same.maxRetries(1).header("a", "b").query("c", "d").arrayStyle(ArrayStyle.COMMA);
        assertEquals(1, call.build().getMaxRetries());
        GetSleepOptions.Builder sleep = GetSleepOptions.builder();
        UploadNutritionRecordOptions.Builder meal = UploadNutritionRecordOptions.builder().body(PICTURE).consumedAt(Instant.EPOCH);
        UploadLabReportOptions.Builder lab = UploadLabReportOptions.builder();
        ListLabReportsOptions.Builder labs = ListLabReportsOptions.builder();
        ListNutritionRecordsOptions.Builder meals = ListNutritionRecordsOptions.builder();
        DailyStatisticsOptions.Builder daily = DailyStatisticsOptions.builder();
        IntervalStatisticsOptions.Builder interval = IntervalStatisticsOptions.builder();
        InitIntegrationOptions.Builder init = InitIntegrationOptions.builder();
        DeleteIntegrationOptions.Builder away = DeleteIntegrationOptions.builder();
        GetUserPropertiesOptions.Builder properties = GetUserPropertiesOptions.builder();
        GetLabReportOptions.Builder report = GetLabReportOptions.builder();
        GetNutritionRecordOptions.Builder record = GetNutritionRecordOptions.builder();
        UpdateNutritionRecordOptions.Builder update = UpdateNutritionRecordOptions.builder();
        DeleteNutritionRecordOptions.Builder delete = DeleteNutritionRecordOptions.builder();
        ExchangeTokenOptions.Builder exchange = ExchangeTokenOptions.builder();
        GetPolicyBenefitsOptions.Builder benefits = GetPolicyBenefitsOptions.builder();
        for (Object options : List.of(
                sleep.build(), meal.build(), lab.build(), labs.build(), meals.build(), daily.build(), interval.build(), init.build(),
                away.build(), properties.build(), report.build(), record.build(), update.build(), delete.build(), exchange.build(), benefits.build())) {
            assertEquals(options.getClass().getSimpleName() + "(..)", options.toString());
        }
        WaitOptions.Builder wait = WaitOptions.builder().timeout(Duration.ofMinutes(1)).interval(Duration.ofMillis(1), Duration.ofSeconds(1));
        assertEquals(Duration.ofMillis(1), wait.build().getFirstInterval());
    }

    @Test
    void aSyncReturnsItsPartsAndNamesTheReasonOfABadState() throws Exception {
        String day = "{\"from_date\": \"2025-03-01\", \"to_date\": \"2025-03-02\", "
                + "\"statistics\": [{\"date\": \"2025-03-01\", \"values\": {\"steps\": 5}}]}";
        MockResponses responses = new MockResponses();
        responses.add("daily_statistics", MockResponse.builder().json(day).header("vitalwire-sandbox", "seed=1").build());
        // The clock of a sandbox alone counts.
        responses.add("get_user_info", MockResponse.builder()
                .json("{\"application_user_id\": \"user-7\", \"integrated_providers\": []}")
                .header("date", "Sat, 01 Mar 2025 12:00:00 GMT").header("vitalwire-sandbox", "seed=1").build());
        byte[] secret = new byte[16];
        LocalDate first = LocalDate.of(2025, 3, 1);
        try (VitalwireClient client = client(responses)) {
            SyncEvent event = SyncEvent.ofTimes(Set.of(RecordKind.DAILY), Instant.EPOCH);
            SyncOptions.Builder options = SyncOptions.builder().from(first).lookBack(3).event(event).timeout(Duration.ofSeconds(20));
            AsyncSyncCall sync = client.async().sync(Set.of(RecordKind.DAILY), secret, "me", null, options.build());
            List<SyncPart> parts = new ArrayList<>();
            of(sync.forEachPart(parts::add));
            SyncPart part = parts.get(0);
            Change change = part.getChanges().get(0);
            assertEquals(List.of("{\"date\":\"2025-03-01\",\"steps\":5.0}"), change.getJsonRows());
            assertEquals(ChangeType.ADDED, change.getType());
            assertEquals(first, change.getDay());
            SyncProgress progress = part.getProgress();
            assertEquals(2, progress.getTotalDays());
            assertEquals(1, of(part.table(RecordKind.DAILY)).getRows());
            SyncPlan plan = of(sync.plan());
            assertEquals(2, plan.getRequests());
            PlannedDays days = plan.getDays().get(0);
            assertEquals(first, days.getDays().get(0).getFirst());
            byte[] marked = of(client.async().sync(Set.of(RecordKind.DAILY), secret, "me", part.getState()).recordEvents());
            assertEquals(part.getGeneration() + 1, SyncCall.generation(marked));

            AsyncSyncCall other = client.async().sync(Set.of(RecordKind.DAILY), secret, "you", part.getState());
            ExecutionException failed = assertThrows(ExecutionException.class, () -> of(other.forEachPart(parts::add)));
            StateException error = assertInstanceOf(StateException.class, failed.getCause());
            assertEquals(StateException.Reason.OTHER_USER, error.getStateReason());
            assertInstanceOf(VitalwireException.InvalidArgument.class, error);
        }
    }

    @Test
    void anUploadIsPreparedAndItsResponseRead(@TempDir File folder) throws Exception {
        try (VitalwireClient client = client(MockResponses.samples())) {
            AsyncLabReports labs = client.async().labReports();
            PreparedUpload upload = of(labs.prepareUpload(DocumentUpload.of(PICTURE, "a.png"), new File(folder, "body")));
            assertTrue(Files.size(upload.getFile().toPath()) > PICTURE.length);
            assertEquals("POST", upload.getMethod());
            String body = "{\"lab_report\": {\"record_id\": \"r-1\", \"status\": \"pending\"}}";
            UploadResponse response = UploadResponse.of(200, Map.of("content-type", List.of("application/json")), body.getBytes());
            assertEquals("r-1", of(labs.readUploadResponse(upload.getReceipt(), response)).getLabReport().getId());
            ExecutionException lost = assertThrows(ExecutionException.class, () -> of(labs.readUploadResponse(upload.getReceipt(), null)));
            assertTrue(assertInstanceOf(VitalwireException.class, lost.getCause()).getMayHaveTakenEffect());
        }
    }

    @Test
    void aWaitReturnsTheRecord() throws Exception {
        MockResponses responses = new MockResponses();
        String pending = "{\"record_id\": \"m-1\", \"status\": \"processing\", \"uploaded_at\": \"2025-03-02T07:30:00Z\", "
                + "\"modified_at\": \"2025-03-02T07:30:00Z\"}";
        responses.add("upload_nutrition_record", MockResponse.json(pending));
        responses.add("get_nutrition_record", MockResponse.json(pending.replace("processing", "completed")));
        List<String> ids = new ArrayList<>();
        WaitOptions wait = WaitOptions.builder()
                .interval(Duration.ofMillis(1), Duration.ofMillis(1))
                .onProgress((WaitProgress progress) -> ids.add(progress.getRecordId()))
                .build();
        UploadNutritionRecordOptions options = UploadNutritionRecordOptions.builder().body(PICTURE).build();
        try (VitalwireClient client = client(responses)) {
            AwaitableRecord meal = of(client.async().nutritionRecords().uploadAndWait(options, wait));
            assertEquals("m-1", meal.getId());
            assertInstanceOf(NutritionRecord.class, meal);
        }
        assertEquals("m-1", ids.get(0));
        List<MockRequest> requested = responses.requests();
        assertEquals("upload_nutrition_record", requested.get(0).getOperation());
    }

    @Test
    void aCancelledWaitKeepsTheId() throws Exception {
        MockResponses responses = new MockResponses();
        String pending = "{\"record_id\": \"m-1\", \"status\": \"processing\", \"uploaded_at\": \"2025-03-02T07:30:00Z\", "
                + "\"modified_at\": \"2025-03-02T07:30:00Z\"}";
        responses.add("upload_nutrition_record", MockResponse.json(pending));
        responses.add("get_nutrition_record", MockResponse.json(pending));
        CompletableFuture<String> id = new CompletableFuture<>();
        WaitOptions wait = WaitOptions.builder()
                .interval(Duration.ofMillis(1), Duration.ofMillis(1))
                .onProgress(progress -> id.complete(progress.getRecordId()))
                .build();
        UploadNutritionRecordOptions options = UploadNutritionRecordOptions.builder().body(PICTURE).build();
        try (VitalwireClient client = client(responses)) {
            CompletableFuture<NutritionRecord> meal = client.async().nutritionRecords().uploadAndWait(options, wait);
            assertEquals("m-1", of(id));
            assertTrue(meal.cancel(true));
            // The exception of a cancelled future has no cause. Only the progress contains the id of the record.
            CancellationException cancelled = assertThrows(CancellationException.class, () -> of(meal));
            assertNull(cancelled.getCause());
            assertTrue(settles(responses));
            responses.clear("get_nutrition_record");
            responses.add("get_nutrition_record", MockResponse.json(pending.replace("processing", "completed")));
            assertEquals("m-1", of(client.async().nutritionRecords().waitFor(id.get())).getId());
        }
    }

    /** Returns whether polling has stopped. A running wait would send a request every millisecond. */
    private static boolean settles(MockResponses responses) throws InterruptedException {
        for (int look = 0; look < 50; look++) {
            int before = responses.requests().size();
            Thread.sleep(200);
            if (responses.requests().size() == before) {
                return true;
            }
        }
        return false;
    }

    @Test
    void filesAreUploaded() throws Exception {
        File file = Files.write(Files.createTempDirectory("vitalwire").resolve("lunch.png"), PICTURE).toFile();
        try (VitalwireClient client = client(MockResponses.samples())) {
            AsyncNutritionRecords meals = client.async().nutritionRecords();
            PictureUpload picture = PictureUpload.of(file, true);
            assertNotNull(of(meals.upload(picture)));
            assertNotNull(of(meals.upload(PictureUpload.of(file.toPath()), UploadNutritionRecordOptions.builder().waitOnProcess(false).build())));
            DocumentUpload document = DocumentUpload.of(file, "a.png");
            android.content.ContentResolver content = new android.content.ContentResolver(Map.of());
            android.content.Context context = new android.content.Context() {
                @Override
                public android.content.ContentResolver getContentResolver() {
                    return content;
                }
            };
            assertEquals("PictureUpload(..)", ContentUploads.picture(context, new android.net.Uri("content://lunch"), true).toString());
            assertNotNull(of(client.async().labReports().upload(document)));
        }
    }

    @Test
    void aRangeIsReadInParts() throws Exception {
        MockResponses responses = new MockResponses();
        for (int day = 1; day <= 4; day++) {
            String date = "\"2025-03-0" + day + "\"";
            String bucket = "{\"date\": " + date + ", \"values\": {\"steps\": " + day + "}}";
            responses.add(
                    "daily_statistics",
                    MockResponse.json("{\"from_date\": " + date + ", \"to_date\": " + date + ", \"statistics\": [" + bucket + "]}"));
        }
        responses.add("daily_statistics", MockResponse.status(404));
        List<StatisticName> types = List.of(StatisticName.STEPS);
        LocalDate first = LocalDate.of(2025, 3, 1);
        RangeOptions.Builder range = RangeOptions.builder().concurrency(1).collectsFailures(false).resumeKey("u-1").resume(null);
        try (VitalwireClient client = client(responses)) {
            AsyncRangeCall<DailyStatistics> days = client.async()
                    .statistics()
                    .dailyInParts(first, first.plusDays(1), types, PartLength.days(1), DailyStatisticsOptions.DEFAULT, range.build());
            List<RangePart<DailyStatistics>> parts = new ArrayList<>();
            of(days.forEachPart(parts::add));
            assertEquals(2, parts.size());
            ResumeToken left = parts.get(0).getResumeToken();
            assertEquals(1, ResumeToken.of(left.getText()).getPartsLeft());
            RangeBounds.Days bounds = assertInstanceOf(RangeBounds.Days.class, parts.get(1).getRange());
            assertEquals(first.plusDays(1), bounds.getFirst());
            assertInstanceOf(RangeBounds.class, left.getRange());

            List<RangeProgress> reports = new ArrayList<>();
            MergedRange<DailyStatistics> merged = of(days.collectAll(reports::add));
            assertEquals(2, reports.get(1).getDone());
            assertEquals(2, merged.getResponse().getStatistics().size());
            MergedPart part = merged.getParts().get(1);
            assertEquals(1, part.getStart());
            List<FailedPart> failures = merged.getFailures();
            assertTrue(failures.isEmpty());
            Table table = of(merged.getResponse().table());
            Table.Column steps = table.get("steps");
            assertEquals(Table.Column.Kind.NUMBER, steps.getKind());
            List<Table.Point> points = table.points(StatisticName.STEPS);
            assertEquals(4.0, points.get(1).getValue());

            ExecutionException failed = assertThrows(ExecutionException.class, () -> of(days.collectAll()));
            VitalwireException error = assertInstanceOf(VitalwireException.NotFound.class, failed.getCause());
            assertNotNull(error.getResumeToken());
            assertNull(days.partialResult(error));
        }
        assertNotNull(RangeBounds.Time.class.getMethod("getStart"));
        assertNotNull(RangeCancelledException.class.getMethod("getResumeToken"));
        assertTrue(RangeCall.class.isInterface() && RangeParts.class.isInterface());
        ServiceRecord record = UserInfo.builder().uid("u-1").build();
        assertEquals("{\"uid\":\"u-1\"}", record.toJson());
    }

    @Test
    void nightsAreSearched() throws Exception {
        LocalDate day = LocalDate.of(2025, 3, 2);
        String sleep = "{\"sleep_id\": \"a\", \"start_at_timestamp\": \"2025-03-01T23:00:00Z\", \"duration\": 1, "
                + "\"modified_at\": \"2025-03-02T08:00:00Z\"}";
        MockResponses responses = new MockResponses();
        for (int search = 0; search < 4; search++) {
            String bucket = "{\"date\": \"" + day + "\", \"record_ids\": [\"a\"], \"values\": {\"sleep_duration_total\": 1}}";
            String dates = "\"from_date\": \"" + day + "\", \"to_date\": \"" + day + "\"";
            responses.add("daily_statistics", MockResponse.json("{" + dates + ", \"statistics\": [" + bucket + "]}"));
            responses.add("get_sleep", MockResponse.json(sleep));
        }
        responses.add("daily_statistics", MockResponse.status(404));
        SleepsBetweenOptions options = SleepsBetweenOptions.builder().includeStages(true).excludeManual(true).build();
        try (VitalwireClient client = client(responses)) {
            AsyncNightSearch search = client.async().sleeps().between(day, day, options);
            List<NightResult> found = new ArrayList<>();
            of(search.forEachNight(found::add));
            assertEquals(List.of(day), found.get(0).getDays());
            Night night = found.get(0).getNight();
            assertEquals("a", night.getRecord().getId());
            List<RangeProgress> reports = new ArrayList<>();
            MergedRange<List<Night>> all = of(search.collectAll(reports::add));
            assertEquals(List.of(night), all.getResponse());
            assertEquals(1, reports.get(0).getTotal());
            MergedRange<Table> table = of(search.collectSleepsTable());
            assertEquals(List.of("a"), table.getResponse().get("sleep_id").getTexts());
            assertEquals(1, of(search.collectSleepsTable(true, reports::add)).getResponse().getRows());
            assertEquals(2, reports.size());
            ExecutionException failed = assertThrows(ExecutionException.class, () -> of(search.collectAll()));
            assertNull(search.partialResult(failed.getCause()));
            assertNull(search.partialSleepsTable(failed.getCause()));
        }
        assertTrue(NightSearch.class.isInterface() && RangeReader.class.isInterface());
    }

    @Test
    void tokensAndAttemptsUseCallbacks() throws Exception {
        List<Attempt> attempts = new ArrayList<>();
        List<RefreshReason> reasons = new ArrayList<>();
        MockResponses responses = new MockResponses();
        responses.add("get_user_info", MockResponse.builder().status(401).header("x-request-id", "r").delay(Duration.ofMillis(1)).build());
        responses.add("get_user_info", MockResponse.json("{}"));
        AsyncTokenProvider provider = reason -> {
            reasons.add(reason);
            return CompletableFuture.completedFuture(AccessToken.of("t" + reasons.size(), Duration.ofHours(1)));
        };
        AttemptListener listener = attempts::add;
        VitalwireClient client = VitalwireClient.builder().asyncTokenProvider(provider).mockResponses(responses).onAttempt(listener).build();
        TokenProvider fixed = (reason, continuation) -> AccessToken.of("t");
        assertNotNull(VitalwireClient.builder().tokenProvider(fixed).build());
        of(client.async().user().info());
        assertEquals(List.of(RefreshReason.MISSING, RefreshReason.REJECTED), reasons);
        assertEquals(401, attempts.get(0).getStatus());
        assertSame(ErrorKind.AUTHENTICATION, attempts.get(0).getError());
        assertNotNull(attempts.get(0).getElapsed());
        assertNotNull(AttemptLog.slf4j());
        MockResponse.Builder builder = MockResponse.builder();
        assertEquals(Duration.ZERO, builder.build().getDelay());
        client.close();
    }

    @Test
    void aProviderThatCallsItsOwnClientFailsAtOnce() throws Exception {
        CompletableFuture<VitalwireClient> own = new CompletableFuture<>();
        AsyncTokenProvider provider = reason -> own.join().async().user().info().thenApply(user -> AccessToken.of("never"));
        VitalwireClient.Builder builder = VitalwireClient.builder().asyncTokenProvider(provider);
        try (VitalwireClient client = builder.mockResponses(MockResponses.samples()).build()) {
            own.complete(client);
            ExecutionException failed = assertThrows(ExecutionException.class, () -> of(client.async().user().info()));
            Throwable cause = assertInstanceOf(VitalwireException.Authentication.class, failed.getCause()).getCause();
            while (cause != null && !(cause instanceof VitalwireException.Configuration)) {
                cause = cause.getCause();
            }
            assertNotNull(cause);
        }
    }

    @Test
    void errorsHaveFields() throws Exception {
        MockResponses responses = new MockResponses();
        responses.add("get_user_info", MockResponse.builder().status(429).header("retry-after", "120").build());
        ExecutionException failed;
        try (VitalwireClient client = client(responses)) {
            failed = assertThrows(ExecutionException.class, () -> of(client.async().user().info()));
        }
        VitalwireException error = assertInstanceOf(VitalwireException.RateLimited.class, failed.getCause());
        assertEquals(429, error.getStatus());
        assertEquals(Duration.ofSeconds(120), error.getRetryAfter());
        assertEquals(ErrorKind.RATE_LIMITED, error.getKind());
        assertTrue(error.isTransient());
        assertNull(error.getRecordId());
        List<Class<? extends VitalwireException>> all = List.of(
                VitalwireException.Configuration.class,
                VitalwireException.InvalidArgument.class,
                VitalwireException.Authentication.class,
                VitalwireException.Permission.class,
                VitalwireException.NotFound.class,
                VitalwireException.InvalidRequest.class,
                VitalwireException.TooLarge.class,
                VitalwireException.RateLimited.class,
                VitalwireException.Service.class,
                VitalwireException.UnexpectedStatus.class,
                VitalwireException.Timeout.class,
                VitalwireException.Transport.class,
                VitalwireException.Decode.class,
                VitalwireException.Signature.class,
                VitalwireException.Cancelled.class,
                VitalwireException.Closed.class,
                VitalwireException.Internal.class,
                VitalwireException.Library.class,
                VitalwireException.Other.class);
        for (int at = 0; at < ErrorKind.getAllKnown().size(); at++) {
            assertSame(all.get(at), VitalwireException.of(ErrorKind.getAllKnown().get(at)).getClass());
        }
        assertNotNull(WaitCancelledException.class.getMethod("getRecordId"));
        assertThrows(VitalwireException.Configuration.class, () -> {
            try (VitalwireClient client = client(MockResponses.fromFolder(Files.createTempDirectory("empty").toFile()))) {
                of(client.async().user().info());
            } catch (ExecutionException thrown) {
                throw thrown.getCause();
            }
        });
    }

    @Test
    void remainingTypesAreUsable() throws Exception {
        ConsentRedirect back = of(ConsentRedirect.parse("app://back?state=s&user_id=u", "s"));
        assertEquals("s", back.getState());
        assertEquals(PICTURE.length, of(Picture.withoutMetadata(PICTURE)).length);
        // Types for Kotlin callers, and interfaces for fakes in both languages.
        assertEquals(3, List.of(WaitState.class, WaitState.Progress.class, WaitState.Ended.class).size());
        List<Class<?>> calls = List.of(
                VitalwireApi.class, Sleeps.class, User.class, LabReports.class, NutritionRecords.class, Statistics.class, Integrations.class, Tokens.class, Care.class);
        assertTrue(calls.stream().allMatch(Class::isInterface));
        User fake = new User() {};
        assertNotNull(fake);
    }
}
