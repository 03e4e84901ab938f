/** A client for a health data service. */
@SuppressWarnings("module") // The other module is compiled later.
module dev.vitalwire {
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires com.sun.jna;
    // JNA logs with it, but its jar has no descriptor that says so.
    requires java.logging;

    exports dev.vitalwire;
    // Its bindings share uniffi's classes.
    exports dev.vitalwire.ffi to dev.vitalwire.server;

    // JNA reads structures and calls callbacks by reflection.
    opens dev.vitalwire.ffi to com.sun.jna;
}
