/** Serializers of Vitalwire's records for kotlinx.serialization. */
module dev.vitalwire.serialization {
    requires transitive dev.vitalwire;
    requires transitive kotlinx.serialization.json;

    exports dev.vitalwire.serialization;
}
