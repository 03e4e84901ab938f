package stranger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vitalwire.ProviderSlug;
import dev.vitalwire.VitalwireClient;
import dev.vitalwire.server.Webhooks;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;

/** Tests the server with the sandbox at {@code VITALWIRE_BASE_URL}, which sends it webhooks. */
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ApplicationTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @LocalServerPort private int port;
    @Autowired private Environment given;

    @Test
    void aWebhookOfTheSandboxIsProcessed(CapturedOutput output) throws Exception {
        String settings = "{\"main\":\"http://127.0.0.1:" + port + "/webhooks\"}";
        URI address = URI.create(given.getProperty("VITALWIRE_BASE_URL") + "/_sandbox/webhooks");
        assertEquals(200, send(HttpRequest.newBuilder(address).PUT(BodyPublishers.ofString(settings))).statusCode());
        VitalwireClient.Builder builder = VitalwireClient.builder().baseUrl(given.getProperty("VITALWIRE_BASE_URL"));
        try (VitalwireClient client = builder.token(given.getProperty("VITALWIRE_TOKEN")).noProxy(true).build()) {
            ProviderSlug provider = client.async().user().info().get().getIntegratedProviders().get(0).getProviderSlug();
            client.async().integrations().delete(provider).get();
        }
        for (int i = 0; i < 100 && !output.getOut().contains("event provider_integration_deleted"); i++) {
            Thread.sleep(100);
        }
        assertTrue(output.getOut().contains("event provider_integration_deleted"), output.getOut());
    }

    @Test
    void onlyASignedBodyIsProcessedAndOnlyOnce(CapturedOutput output) throws Exception {
        String event = "[{\"event_type\":\"record_change\"}]";
        assertEquals(401, deliver(event, null));
        assertEquals(401, deliver(event, "0".repeat(64)));
        assertFalse(output.getOut().contains("event record_change"));
        assertEquals(200, deliver(event, sign(event)));
        assertEquals(200, deliver(" " + event, sign(" " + event)));
        assertEquals(1, output.getOut().split("event record_change", -1).length - 1, "times");
        assertEquals(400, deliver("no JSON", sign("no JSON")));
    }

    @Test
    void aUserWhoIsSignedInGetsAToken() throws Exception {
        URI address = URI.create("http://127.0.0.1:" + port + "/token");
        assertEquals(401, send(HttpRequest.newBuilder(address).POST(BodyPublishers.noBody())).statusCode());
        HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Authorization", "Bearer a-session-of-person-1");
        HttpResponse<String> response = send(request.POST(BodyPublishers.noBody()));
        assertEquals(200, response.statusCode());
        assertTrue(response.body().contains("\"access_token\":\"") && response.body().contains("\"expires_in\":3600"));
        assertTrue(response.headers().firstValue("Cache-Control").orElse("").contains("no-store"));
    }

    private String sign(String body) {
        byte[] key = given.getProperty("VITALWIRE_WEBHOOK_KEY").getBytes(StandardCharsets.UTF_8);
        return Webhooks.sign(body.getBytes(StandardCharsets.UTF_8), key);
    }

    private int deliver(String body, String signature) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/webhooks"));
        if (signature != null) {
            request.header(Webhooks.SIGNATURE_HEADER, signature);
        }
        return send(request.POST(BodyPublishers.ofString(body))).statusCode();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        request.header("Content-Type", "application/json").timeout(Duration.ofSeconds(20));
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
