/** Webhooks and the signature of the token exchange, for servers that use Vitalwire. */
module dev.vitalwire.server {
    requires transitive dev.vitalwire;
    requires com.sun.jna;

    exports dev.vitalwire.server;

    // JNA registers native methods by reflection.
    opens dev.vitalwire.server.ffi to com.sun.jna;
}
