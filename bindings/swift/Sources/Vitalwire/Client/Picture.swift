import Foundation
internal import VitalwireFFI

/// A picture of food, made ready to be uploaded.
public enum Picture {
    /// The same picture, pixel for pixel, without metadata: place, time, camera, texts, thumbnails, further pictures after its end.
    /// Colour profiles and orientation stay. For JPEG, PNG and WebP.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/invalidArgument`` where the picture is of another kind, broken or cut short.
    public static func withoutMetadata(_ picture: Data) throws -> Data {
        try translated { try pictureWithoutMetadata(picture: picture) }
    }
}
