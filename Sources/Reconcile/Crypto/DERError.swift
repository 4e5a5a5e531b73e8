/// Why bytes are not valid DER or BER.
struct DERError: Error, Equatable {
    enum Reason: Equatable, Sendable {
        case truncated
        case overrun
        /// A length of more than four bytes, or a form that X.690 reserves.
        case lengthUnsupported
        /// A tag number above 30.
        case tagUnsupported
        /// An indefinite length of a primitive value.
        case indefinitePrimitive
        case endOfContentsUnexpected
        case nestedTooDeep
        case wrongType
        /// A value that its type does not allow, or that its Swift type cannot hold.
        case valueUnsupported
    }

    let reason: Reason
    /// Byte offset in the array.
    let offset: Int
}

extension DERError: CustomStringConvertible {
    var description: String {
        "Byte \(offset): \(reason.inWords). The data is damaged or something else. Get a new copy."
    }
}

extension DERError.Reason {
    fileprivate var inWords: String {
        switch self {
        case .truncated: "the ASN.1 ends in the middle of a value"
        case .overrun: "an ASN.1 value extends beyond the value that contains it"
        case .lengthUnsupported: "an ASN.1 length is too large"
        case .tagUnsupported: "an ASN.1 tag is too large"
        case .indefinitePrimitive: "a plain ASN.1 value has no length"
        case .endOfContentsUnexpected: "an ASN.1 end mark has no beginning"
        case .nestedTooDeep: "ASN.1 values are nested too deep"
        case .wrongType: "an ASN.1 value is of an unexpected type"
        case .valueUnsupported: "an ASN.1 value is not allowed or too large"
        }
    }
}
