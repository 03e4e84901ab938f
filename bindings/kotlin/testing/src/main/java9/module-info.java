/** Clients, samples and a sandbox for tests of programs that use Vitalwire. */
module dev.vitalwire.testing {
    requires transitive dev.vitalwire;
    // Only the JUnit extension needs it.
    requires static transitive org.junit.jupiter.api;

    exports dev.vitalwire.testing;
}
