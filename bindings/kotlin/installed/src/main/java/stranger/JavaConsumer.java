package stranger;

import dev.vitalwire.GetSleepOptions;
import dev.vitalwire.SleepRecord;
import dev.vitalwire.VitalwireClient;
import dev.vitalwire.VitalwireException;
import dev.vitalwire.server.Signing;
import dev.vitalwire.server.WebhookVerifier;
import dev.vitalwire.server.Webhooks;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** Checks the same calls as `KotlinConsumer`, in Java. */
final class JavaConsumer {
    private JavaConsumer() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> given = System.getenv();
        VitalwireClient.Builder builder = VitalwireClient.builder();
        builder.baseUrl(given.get("VITALWIRE_BASE_URL")).token(given.get("VITALWIRE_TOKEN")).noProxy(true);
        try (VitalwireClient client = builder.build()) {
            GetSleepOptions stages = GetSleepOptions.builder().includeStages(true).build();
            SleepRecord night = client.async().sleeps().get(given.get("VITALWIRE_SLEEP_ID"), stages).get();
            if (night.getStages().isEmpty()) {
                throw new AssertionError("no stages");
            }
            System.out.println(night + " with stages");
            try {
                client.async().sleeps().get("00000000-0000-4000-8000-000000000000").get();
            } catch (ExecutionException error) {
                System.out.println("status " + ((VitalwireException.NotFound) error.getCause()).getStatus());
            }
        }
        byte[] body = "[]".getBytes(StandardCharsets.UTF_8);
        byte[] key = "a-webhook-key-of-yours".getBytes(StandardCharsets.UTF_8);
        try (WebhookVerifier verifier = new WebhookVerifier("a-webhook-key-of-yours")) {
            if (!verifier.verifyAndParseEvents(body, Webhooks.sign(body, key)).isEmpty()) {
                throw new AssertionError("events");
            }
            try {
                verifier.verify(body, null);
                throw new AssertionError("a body without a signature");
            } catch (VitalwireException.Signature error) {
                System.out.println("webhook verified, " + Signing.signUserId(key, "user-1").length() + " digits");
            }
        }
        System.out.println("Java ended");
    }
}
