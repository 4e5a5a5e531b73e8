/// Text that identifies one thing. The tag prevents mixing up two kinds of identifiers.
///
/// Compared and sorted by UTF-8 bytes, as PostgreSQL does: Swift's `==` equates two Unicode
/// spellings of one character.
package struct Identifier<Tag>: Hashable, Sendable {
    let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Self, right: Self) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        // Not `withUTF8`: it needs a mutable copy of the text, which costs two reference counts.
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

extension Identifier: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.text.bytesPrecede(right.text)
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

extension TransactionID {
    func isNumericallyLess(than other: TransactionID) -> Bool {
        let left = text.utf8
        let right = other.text.utf8
        guard left.allSatisfy(\.isDigit), right.allSatisfy(\.isDigit) else { return self < other }
        let own = left.drop { $0 == 0x30 }
        let others = right.drop { $0 == 0x30 }
        return own.count == others.count
            ? own.lexicographicallyPrecedes(others) : own.count < others.count
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
}
