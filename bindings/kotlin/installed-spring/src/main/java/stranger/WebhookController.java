package stranger;

// --8<-- [start:webhooks]
import dev.vitalwire.VitalwireException;
import dev.vitalwire.server.WebhookKind;
import dev.vitalwire.server.WebhookVerifier;
import dev.vitalwire.server.Webhooks;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Receives webhooks. Make your proxy reject bodies above 32 MiB, the limit of the verifier. */
@RestController
class WebhookController {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookController.class);

    private final WebhookVerifier verifier;
    /** Whether a body was processed, by its content key. Keep the keys in a database, so that they survive a restart. */
    private final ConcurrentHashMap<String, Boolean> processed = new ConcurrentHashMap<>();

    WebhookController(WebhookVerifier verifier) {
        this.verifier = verifier;
    }

    @PostMapping("/webhooks")
    void receive(
            @RequestBody byte[] body, @RequestHeader(name = Webhooks.SIGNATURE_HEADER, required = false) String signature)
            throws VitalwireException {
        verifier.verify(body, signature);
        String key = Webhooks.contentKey(body);
        Boolean done = processed.putIfAbsent(key, false);
        if (done != null && !done) {
            // Another request processes the same body. With this status, the service sends it again.
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE);
        }
        if (done == null) {
            try {
                process(body);
                processed.put(key, true);
            } finally {
                processed.remove(key, false);
            }
        }
    }

    private void process(byte[] body) throws VitalwireException {
        WebhookKind kind = Webhooks.detectKind(body);
        if (kind == null) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
        }
        switch (kind) {
            case EVENTS -> Webhooks.parseEvents(body).forEach(event -> {
                var type = event.getEventType();
                LOG.info("event {}", type == null ? "without a type" : type.getText());
            });
            case LAB_REPORT -> LOG.info("lab report {}", Webhooks.parseLabReport(body).getStatus().getText());
            case NUTRITION -> LOG.info("meal {}", Webhooks.parseNutrition(body).getStatus().getText());
        }
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.UNAUTHORIZED)
    void rejected(VitalwireException.Signature error) {}

    @ExceptionHandler
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    void invalid(VitalwireException error) {}
}
// --8<-- [end:webhooks]
