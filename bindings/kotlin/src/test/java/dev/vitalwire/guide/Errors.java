package dev.vitalwire.guide;

// --8<-- [start:program]
import dev.vitalwire.VitalwireClient;
import dev.vitalwire.VitalwireException;
import java.util.concurrent.ExecutionException;

public final class Errors {
    public static void main(String[] arguments) throws InterruptedException {
        VitalwireClient.Builder settings =
                VitalwireClient.builder().baseUrl(System.getenv("VITALWIRE_BASE_URL")).token(System.getenv("VITALWIRE_TOKEN"));
        try (VitalwireClient client = settings.build()) {
            client.async().sleeps().get("00000000-0000-4000-8000-000000000000").get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof VitalwireException error) {
                System.out.println(error.getCode() + " " + error.getKind() + ", transient: " + error.isTransient()
                        + ", may have taken effect: " + error.getMayHaveTakenEffect());
            }
        }
    }
}
// --8<-- [end:program]
