/// Text that identifies one thing. The tag prevents mixing up two kinds of identifiers.
///
/// Compared and sorted by UTF-8 bytes, as PostgreSQL does: Swift's `==` equates two Unicode
/// spellings of one character.
package struct Identifier<Tag>: Hashable, Sendable {
    private let form: IdentifierForm

    package init(_ text: String) {
        var text = text
        form = text.withUTF8 { DigitText($0) }.map { .digits($0) } ?? .text(text)
    }

    /// - Parameter utf8: as `String(decoding:as:)` takes it; no string is made of digits.
    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        form = DigitText(utf8).map { .digits($0) } ?? .text(String(decoding: utf8, as: UTF8.self))
    }

    package var text: String {
        switch form {
        case .digits(let digits): String(digits.value)
        case .text(let text): text
        }
    }

    /// Passes the bytes of `text` to `body`, without making a string of a number.
    func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        switch form {
        case .digits(let digits): return digits.withDigits(body)
        case .text(var text): return text.withUTF8(body)
        }
    }
}

/// Nearly all of Apple's ids are numbers, and many of an app's own: as one they need no memory of
/// their own, and are compared and hashed at once. `digits` and `text` never mean the same text.
private enum IdentifierForm: Hashable {
    case digits(DigitText)
    case text(String)

    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.digits(let left), .digits(let right)): left.value == right.value
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.digits, .text), (.text, .digits): false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .digits(let digits): hasher.combine(digits.value)
        case .text(let text):
            // Not `withUTF8`: its mutable copy of the text costs two reference counts.
            let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
                hasher.combine(bytes: UnsafeRawBufferPointer($0))
            }
            if isDone == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
        }
    }
}

extension Identifier: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        if case .digits(let own) = left.form, case .digits(let other) = right.form {
            return own.digitsPrecede(other)
        }
        return left.text.bytesPrecede(right.text)
    }
}

extension Identifier: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral text: String) { self.init(text) }
    package var description: String { text }
}

package enum Named {
    package enum User {}
    package enum Receipt {}
    package enum Entitlement {}
    package enum Product {}
    package enum Transaction {}
    package enum Bundle {}
    package enum Group {}
    package enum AppSKU {}
    enum LineItem {}
}

/// The customer's account at the service that stored the receipts.
package typealias UserID = Identifier<Named.User>
package typealias ReceiptID = Identifier<Named.Receipt>
package typealias EntitlementID = Identifier<Named.Entitlement>
package typealias ProductID = Identifier<Named.Product>
/// A `transaction_id` or `original_transaction_id`. Digits of any number, kept whole as text.
package typealias TransactionID = Identifier<Named.Transaction>
package typealias BundleID = Identifier<Named.Bundle>
/// `web_order_line_item_id`: Apple's id of one paid period.
typealias LineItemID = Identifier<Named.LineItem>
/// A subscription group, within which a customer holds one subscription at a time.
package typealias SubscriptionGroupID = Identifier<Named.Group>
/// The SKU of an app in App Store Connect, which its reports have in place of the bundle id.
package typealias AppSKU = Identifier<Named.AppSKU>

extension TransactionID {
    func isNumericallyLess(than other: TransactionID) -> Bool {
        if case .digits(let own) = form, case .digits(let others) = other.form {
            return own.value < others.value
        }
        let left = text.utf8
        let right = other.text.utf8
        guard left.allSatisfy(\.isDigit), right.allSatisfy(\.isDigit) else { return self < other }
        let own = left.drop { $0 == 0x30 }
        let others = right.drop { $0 == 0x30 }
        return own.count == others.count
            ? own.lexicographicallyPrecedes(others) : own.count < others.count
    }
}
