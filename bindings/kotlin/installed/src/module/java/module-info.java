/** The project as a module. It requires only our artifacts, as applications do. */
module stranger {
    requires dev.vitalwire;
    requires dev.vitalwire.server;
}
