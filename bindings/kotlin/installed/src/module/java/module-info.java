/** The project as a module. It requires only the package, as applications do. */
module stranger {
    requires dev.vitalwire;
}
