/** The model of a screen on which users connect providers. */
module dev.vitalwire.consent {
    requires transitive dev.vitalwire;

    exports dev.vitalwire.consent;
}
