/// A cursor over `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`: the
/// payload of a receipt, or the value of one in-app purchase (attribute 17).
struct AttributeReader {
    private var set: DERReader
    /// How many members of the set were skipped because they are not attributes.
    private(set) var skipped = 0

    /// Throws unless `payload` is a set, or an OCTET STRING with one: some tools wrap it twice.
    init(_ payload: ArraySlice<UInt8>) throws(DERError) {
        var reader = DERReader(payload)
        let first = try reader.next()
        if let first, first.isUniversal(.octetString) {
            var inner = DERReader(try reader.octets(first))
            set = inner.inside(try inner.required(.set))
        } else {
            guard let first, first.isUniversal(.set) else {
                throw DERError(reason: .wrongType, offset: payload.startIndex)
            }
            set = reader.inside(first)
        }
    }

    /// Throws only when the set itself is damaged.
    mutating func next() throws(DERError) -> ReceiptAttribute? {
        while let member = try set.next() {
            if let attribute = try? Self.attribute(member, in: set) { return attribute }
            skipped += 1
        }
        return nil
    }

    private static func attribute(
        _ member: DERElement, in set: DERReader
    ) throws(DERError) -> ReceiptAttribute {
        var fields = set.inside(member)
        let type = try fields.integer(try fields.required(.integer))
        _ = try fields.required(.integer)
        return ReceiptAttribute(
            type: type, value: try fields.octets(try fields.required(.octetString)))
    }
}
