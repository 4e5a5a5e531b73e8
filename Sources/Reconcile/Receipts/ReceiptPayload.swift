/// The decoded payload of a receipt. Says nothing about who signed it.
struct ReceiptPayload: Equatable, Sendable {
    /// In the order of the receipt, without in-app purchases. Includes attributes of unknown types.
    let attributes: [ReceiptAttribute]
    /// Attribute 17, in the order of the receipt.
    let purchases: [InAppPurchase]
    /// How many members are not attributes, or are unreadable purchases.
    let unreadable: Int

    /// A limit on memory: each purchase takes over a kilobyte.
    private static let mostPurchases = 50_000

    init(_ content: ArraySlice<UInt8>) throws(DERError) {
        var reader = try AttributeReader(content)
        var attributes: [ReceiptAttribute] = []
        attributes.reserveCapacity(24)
        var purchases: [InAppPurchase] = []
        var damaged = 0
        while let attribute = try reader.next() {
            guard attribute.type == Self.purchaseType else {
                attributes.append(attribute)
                continue
            }
            guard purchases.count + damaged < Self.mostPurchases else {
                throw DERError(reason: .valueUnsupported, offset: attribute.value.startIndex)
            }
            do throws(DERError) {
                purchases.append(try InAppPurchase(attribute.value))
            } catch {
                damaged += 1
            }
        }
        self.attributes = attributes
        self.purchases = purchases
        unreadable = reader.skipped + damaged
    }

    private static let purchaseType: Int64 = 17

    /// `Production`, `ProductionSandbox`, `ProductionVPP`, `ProductionVPPSandbox` or `Xcode`.
    var environment: String? { attributes.first(0)?.text }
    var bundle: String? { attributes.first(2)?.text }
    var applicationVersion: String? { attributes.first(3)?.text }
    var originalApplicationVersion: String? { attributes.first(19)?.text }
    /// When Apple made and signed the receipt. Its certificates must be valid at this time.
    var createdAt: Instant? { attributes.first(12)?.instant }

    /// When the receipt itself expires (Volume Purchase Program only).
    var expiresAt: Instant? { attributes.first(21)?.instant }

    /// The encoded bundle identifier with its DER tag, as the device hash uses it.
    var bundleBytes: ArraySlice<UInt8>? { attributes.first(2)?.value }
    var opaqueValue: ArraySlice<UInt8>? { attributes.first(4)?.value }
    var deviceHash: ArraySlice<UInt8>? { attributes.first(5)?.value }
}

struct InAppPurchase: Equatable, Sendable {
    let attributes: [ReceiptAttribute]
    let unreadable: Int

    init(_ value: ArraySlice<UInt8>) throws(DERError) {
        var reader = try AttributeReader(value)
        var attributes: [ReceiptAttribute] = []
        // Slightly more than Apple writes.
        attributes.reserveCapacity(24)
        while let attribute = try reader.next() { attributes.append(attribute) }
        self.attributes = attributes
        unreadable = reader.skipped
    }

    var product: ProductID? { attributes.first(1702)?.text.map { ProductID($0) } }
    var transaction: TransactionID? {
        attributes.first(1703)?.text.map { TransactionID($0) }
    }
    var originalTransaction: TransactionID? {
        attributes.first(1705)?.text.map { TransactionID($0) }
    }
    var purchasedAt: Instant? { attributes.first(1704)?.instant }
    var expiresAt: Instant? { attributes.first(1708)?.instant }
    var cancelledAt: Instant? { attributes.first(1712)?.instant }
    /// 0 non-consumable, 1 consumable, 2 non-renewing, 3 auto-renewable.
    var productType: Int64? { attributes.first(1707)?.integer }
    /// Of a product outside the catalogue: an expiry says it, else the receipt.
    var kind: ProductKind? { expiresAt == nil ? ProductKind(signed: productType) : .autoRenewable }
    /// Nil for a purchase that is not a subscription, which has 0.
    var lineItem: LineItemID? {
        attributes.first(1711)?.integer.flatMap { $0 == 0 ? nil : LineItemID(String($0)) }
    }
}

extension [ReceiptAttribute] {
    func first(_ type: Int64) -> ReceiptAttribute? { first { $0.type == type } }
}

extension ReceiptAttribute {
    /// Parses RFC 3339, and Xcode's `+0100`. Nil when empty: Apple's encoding of "no date".
    var instant: Instant? {
        var reader = DERReader(value)
        // Avoids `text`: a receipt may have a thousand dates, and making strings is slow.
        guard let element = try? reader.next(), let text = try? reader.characters(element) else {
            return nil
        }
        let end = text.suffix(5)
        let hasShortOffset =
            end.count == 5 && (end.first == UInt8(ascii: "+") || end.first == UInt8(ascii: "-"))
            && end.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
        guard hasShortOffset else { return Instant(rfc3339: text) }
        return Instant(rfc3339: text.dropLast(2) + [UInt8(ascii: ":")] + text.suffix(2))
    }
}

extension ReceiptPayload {
    /// From attribute 1707, which verifyReceipt's answers lack. Without `catalogued` products,
    /// subscriptions, and products whose purchases name different kinds.
    func kinds(excluding catalogued: Set<ProductID>) -> [ProductID: ProductKind] {
        var types: [ProductID: Set<Int64?>] = [:]
        for purchase in purchases {
            guard let product = purchase.product, !catalogued.contains(product) else { continue }
            types[product, default: []].insert(purchase.productType)
        }
        return types.compactMapValues { types in
            types.count == 1 ? ProductKind(signed: types.first.flatMap(\.self)) : nil
        }
    }
}

extension ProductKind {
    /// Attribute 1707; nil for a subscription, of which it says no more than its expiry.
    init?(signed type: Int64?) {
        switch type {
        case 0: self = .nonConsumable
        case 1: self = .consumable
        case 2: self = .nonRenewing
        default: return nil
        }
    }
}
