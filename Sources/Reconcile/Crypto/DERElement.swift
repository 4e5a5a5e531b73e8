/// One tagged DER or BER value, as ranges of the bytes that it was parsed from.
struct DERElement: Equatable, Sendable {
    enum TagClass: UInt8, Sendable { case universal, application, context, `private` }

    let tagClass: TagClass
    /// 0 to 30. The reader refuses higher numbers, which take more than one byte.
    let tagNumber: UInt8
    let isConstructed: Bool
    let header: Range<Int>
    /// Without the end-of-contents octets of an indefinite length.
    let content: Range<Int>
    /// From the tag to the end, including end-of-contents octets.
    let whole: Range<Int>

    func isUniversal(_ tag: UniversalTag) -> Bool {
        tagClass == .universal && tagNumber == tag.rawValue
    }

    func isContext(_ number: UInt8) -> Bool { tagClass == .context && tagNumber == number }

    /// The universal tags used in PKCS#7 and its contents. Source: ITU-T X.680, 8.4.
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

extension DERElement {
    /// In DER: the length in as few bytes as possible.
    static func encoding(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        let count = content.count
        guard count >= 0x80 else { return [tag, UInt8(count)] + content }
        let length = withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0.drop { $0 == 0 }) }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
