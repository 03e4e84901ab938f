package dev.vitalwire.guide;

// --8<-- [start:program]
import dev.vitalwire.Night;
import dev.vitalwire.SleepStage;
import dev.vitalwire.SleepsBetweenOptions;
import dev.vitalwire.VitalwireClient;
import java.time.LocalDate;
import java.util.List;

public final class FirstNight {
    public static void main(String[] arguments) throws Exception {
        VitalwireClient.Builder settings =
                VitalwireClient.builder().baseUrl(System.getenv("VITALWIRE_BASE_URL")).token(System.getenv("VITALWIRE_TOKEN"));
        try (VitalwireClient client = settings.build()) {
            SleepsBetweenOptions stages = SleepsBetweenOptions.builder().includeStages(true).build();
            var nights = client.async().sleeps().between(LocalDate.of(2025, 11, 14), LocalDate.of(2025, 11, 20), stages);
            for (Night night : nights.collectAll().get().getResponse()) {
                Long score = night.getRecord().getScore();
                System.out.println(night.getDays().get(0) + ": score " + (score == null ? "unknown" : score));
                var found = night.getRecord().getStages();
                for (SleepStage stage : found == null ? List.<SleepStage>of() : found) {
                    var name = stage.getStage() == null ? "unknown" : stage.getStage().getText();
                    var minutes = stage.getDuration() == null ? "?" : stage.getDuration().toMinutes();
                    System.out.printf("  %-10s %s min%n", name, minutes);
                }
            }
        }
    }
}
// --8<-- [end:program]
