// The Java code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme;

import dev.vitalwire.GetSleepOptions;
import dev.vitalwire.SleepRecord;
import dev.vitalwire.VitalwireClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

public final class JavaNights {
    public static CompletableFuture<SleepRecord> night(VitalwireClient client, String id) {
        GetSleepOptions stages = GetSleepOptions.builder().includeStages(true).timeout(Duration.ofSeconds(10)).build();
        return client.async().sleeps().get(id, stages);
    }
}
