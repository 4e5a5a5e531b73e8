/// The receipt as base64 text, as a client sent it. Prints as `‹redacted›`: it is a purchase
/// history, and Apple accepts it like a password.
package struct ReceiptData: Sendable, Equatable {
    package let text: [UInt8]

    init(text: [UInt8]) { self.text = text }
    package init(_ text: String) { self.text = Array(text.utf8) }
}

extension ReceiptData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
