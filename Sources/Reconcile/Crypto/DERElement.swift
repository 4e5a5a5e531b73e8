/// One tagged value of DER or BER, as ranges of the bytes it was read from.
struct DERElement: Equatable, Sendable {
    enum TagClass: UInt8, Sendable { case universal, application, context, `private` }

    let tagClass: TagClass
    /// 0 to 30. Higher numbers, which take more than one byte, are refused by the reader.
    let tagNumber: UInt8
    let isConstructed: Bool
    /// Tag and length.
    let header: Range<Int>
    /// Without the end-of-contents of an indefinite length.
    let content: Range<Int>
    /// From the tag to the end, an end-of-contents included.
    let whole: Range<Int>

    func isUniversal(_ tag: UniversalTag) -> Bool {
        tagClass == .universal && tagNumber == tag.rawValue
    }

    /// Whether this is `[number]`, a field's own tag.
    func isContext(_ number: UInt8) -> Bool { tagClass == .context && tagNumber == number }

    /// The universal tags of PKCS#7 and of what is inside it. Source: ITU-T X.680, 8.4.
    enum UniversalTag: UInt8, Sendable {
        case boolean = 1
        case integer = 2
        case bitString = 3
        case octetString = 4
        case null = 5
        case objectIdentifier = 6
        case utf8String = 12
        case sequence = 16
        case set = 17
        case printableString = 19
        case ia5String = 22
        case utcTime = 23
        case generalizedTime = 24
    }
}
