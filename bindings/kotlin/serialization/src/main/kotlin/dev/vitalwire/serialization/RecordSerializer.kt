package dev.vitalwire.serialization

import dev.vitalwire.ServiceRecord
import dev.vitalwire.VitalwireException
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonDecoder
import kotlinx.serialization.json.JsonEncoder

/**
 * A serializer of a record that needs no native library. In JSON, a record is the object that the service sends. In other formats, it is
 * the JSON text of that object. List items that cannot be decoded are left out.
 *
 * Invalid input throws a [SerializationException] that contains no part of the input.
 */
public abstract class RecordSerializer<T : ServiceRecord> internal constructor(
    name: String,
    private val read: (String) -> T,
) : KSerializer<T> {
    final override val descriptor: SerialDescriptor = PrimitiveSerialDescriptor("dev.vitalwire.$name", PrimitiveKind.STRING)

    final override fun serialize(encoder: Encoder, value: T) {
        val json = value.toJson()
        if (encoder is JsonEncoder) encoder.encodeJsonElement(Json.parseToJsonElement(json)) else encoder.encodeString(json)
    }

    final override fun deserialize(decoder: Decoder): T {
        val json = if (decoder is JsonDecoder) "${decoder.decodeJsonElement()}" else decoder.decodeString()
        return try {
            read(json)
        } catch (error: VitalwireException) {
            throw SerializationException("no ${descriptor.serialName}", error)
        }
    }
}
