import Foundation
internal import VitalwireFFI

/// Preparation of pictures for an upload.
public enum Picture {
    /// Returns a copy of a JPEG, PNG or WebP picture without its metadata.
    ///
    /// Removes place, time, camera, texts, thumbnails and any data after the end of the picture. Keeps pixels, colour profiles and
    /// orientation.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/invalidArgument`` if the picture has another format, is damaged or truncated.
    public static func withoutMetadata(_ picture: Data) throws -> Data {
        try translateErrors { try pictureWithoutMetadata(picture: picture) }
    }
}
