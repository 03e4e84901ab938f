package stranger;

import dev.vitalwire.VitalwireClient;
import dev.vitalwire.VitalwireException;
import dev.vitalwire.server.WebhookVerifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A server that receives webhooks and gives tokens to an app. */
@SpringBootApplication
public class Application {
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    // --8<-- [start:verifier]
    /** Spring closes the verifier, which overwrites the key. */
    @Bean
    WebhookVerifier webhookVerifier(@Value("${VITALWIRE_WEBHOOK_KEY}") String key) throws VitalwireException {
        return new WebhookVerifier(key);
    }
    // --8<-- [end:verifier]

    @Bean
    VitalwireClient vitalwireClient(@Value("${VITALWIRE_BASE_URL}") String baseUrl) {
        return VitalwireClient.builder().baseUrl(baseUrl).build();
    }
}
