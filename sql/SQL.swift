/// A statement of `sql/`, by the name of its file.
public struct Statement: Sendable, Hashable {
    /// The file's name without extension, for example `batch_receipts`: what errors and logs say.
    public let name: String
    public let text: String

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        text = String(decoding: bytes, as: UTF8.self)
    }
}
