/// The receipt as text in base64, as a client sent it. Prints as `‹redacted›`.
///
/// It is somebody's purchase history and stands in for a password at Apple, so it must not reach
/// a log, a report or an error text.
package struct ReceiptData: Sendable, Equatable {
    /// The stored text, byte for byte.
    package let text: [UInt8]

    package init(text: [UInt8]) { self.text = text }
    package init(_ text: String) { self.text = Array(text.utf8) }
}

extension ReceiptData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
