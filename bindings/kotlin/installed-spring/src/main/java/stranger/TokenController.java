package stranger;

import dev.vitalwire.VitalwireClient;
import dev.vitalwire.VitalwireException;
import dev.vitalwire.server.Signing;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

// --8<-- [start:tokens]
/** Gives tokens to users who are signed in. */
@RestController
class TokenController {
    /** Seconds after which an app replaces its token. The response of the service does not state how long the token is valid. */
    private static final int LIFETIME = 3600;

    private final VitalwireClient client;
    private final long applicationId;
    private final String applicationKey;

    TokenController(
            VitalwireClient client, @Value("${APPLICATION_ID}") long applicationId, @Value("${APPLICATION_KEY}") String applicationKey) {
        this.client = client;
        this.applicationId = applicationId;
        this.applicationKey = applicationKey;
    }

    @PostMapping("/token")
    CompletableFuture<ResponseEntity<Map<String, Object>>> token(@RequestHeader(name = "Authorization", required = false) String session)
            throws VitalwireException {
        String user = sessionUser(session);
        return client.async().tokens().exchange(applicationId, user, Signing.signUserId(applicationKey, user)).thenApply(reply ->
                ResponseEntity.ok().cacheControl(CacheControl.noStore())
                        .body(Map.of("access_token", reply.getAccessToken(), "expires_in", LIFETIME)));
    }

    /** Returns the user who is signed in. A stub: replace it with the sessions of your server. */
    private static String sessionUser(String session) {
        if (!"Bearer a-session-of-person-1".equals(session)) {
            throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
        }
        return "person-1";
    }
}
// --8<-- [end:tokens]
