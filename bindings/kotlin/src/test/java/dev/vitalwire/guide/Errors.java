package dev.vitalwire.guide;

// --8<-- [start:program]
import dev.vitalwire.VitalwireClient;
import dev.vitalwire.VitalwireException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

public final class Errors {
    public static void main(String[] arguments) throws InterruptedException {
        VitalwireClient.Builder settings =
                VitalwireClient.builder().baseUrl(System.getenv("VITALWIRE_BASE_URL")).token(System.getenv("VITALWIRE_TOKEN"));
        try (VitalwireClient client = settings.build()) {
            client.async().sleeps().get("00000000-0000-4000-8000-000000000000").get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof VitalwireException error) {
                System.out.println(error.getCode() + " " + error.getKind() + ": " + advice(error));
            }
        }
    }

    private static String advice(VitalwireException error) {
        if (error.getMayHaveTakenEffect()) return "look for the record before you send it again";
        if (error instanceof VitalwireException.NotFound) return "there is no such record";
        if (error instanceof VitalwireException.Authentication) {
            return error.getCause() instanceof IOException ? "try again later" : "sign in again";
        }
        if (error instanceof VitalwireException.Configuration) return "correct the settings of the client";
        if (!error.isTransient()) return "correct the request";
        Duration delay = error.getRetryAfter();
        return "try again in " + (delay == null ? 60 : delay.toSeconds()) + " s";
    }
}
// --8<-- [end:program]
