/** A client for a health data service. */
module dev.vitalwire {
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires com.sun.jna;
    // JNA logs with it, but its jar has no descriptor that says so.
    requires java.logging;

    exports dev.vitalwire;

    // JNA reads structures and calls callbacks by reflection.
    opens dev.vitalwire.ffi to com.sun.jna;
}
