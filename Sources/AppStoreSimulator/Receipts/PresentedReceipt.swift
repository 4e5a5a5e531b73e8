/// The simulated Apple's verdict on the bytes sent as a receipt.
enum PresentedReceipt: Equatable {
    /// Neither PKCS#7 nor a property list: 21002.
    case malformed
    /// Looks like a simulated receipt but was changed: 21003.
    case forged
    case genuine(ReceiptMark)

    init(_ bytes: [UInt8]) {
        self =
            bytes.first == UInt8(ascii: "{")
            ? Self.propertyList(bytes) : Self.container(bytes)
    }

    private static func container(_ bytes: [UInt8]) -> PresentedReceipt {
        var cursor = DERCursor(bytes)
        guard let info = cursor.content(of: DERWriter.sequence) else { return .malformed }
        var fields = cursor.inside(info)
        guard fields.content(of: 0x06) != nil,
            let wrapper = fields.content(of: DERWriter.context0)
        else { return .malformed }
        var inner = fields.inside(wrapper)
        guard let signed = inner.content(of: DERWriter.sequence) else { return .malformed }
        var parts = inner.inside(signed)
        guard parts.content(of: 0x02) != nil, parts.content(of: DERWriter.set) != nil,
            let content = parts.content(of: DERWriter.sequence)
        else { return .malformed }
        var data = parts.inside(content)
        guard data.content(of: 0x06) != nil, let explicit = data.content(of: DERWriter.context0)
        else { return .malformed }
        var octets = data.inside(explicit)
        guard let payload = octets.content(of: 0x04) else { return .malformed }
        return self.payload(octets.inside(payload), bytes)
    }

    private static func payload(_ payload: DERCursor, _ bytes: [UInt8]) -> PresentedReceipt {
        var payload = payload
        guard let set = payload.content(of: DERWriter.set) else { return .malformed }
        var attributes = payload.inside(set)
        var mark: ReceiptMark?
        var seal: [UInt8]?
        var sealedEnd = set.lowerBound
        while let attribute = attributes.content(of: DERWriter.sequence) {
            var fields = attributes.inside(attribute)
            guard let type = fields.content(of: 0x02), fields.next() != nil,
                let value = fields.content(of: 0x04)
            else { return .malformed }
            switch bytes[type].reduce(0, { $0 << 8 | Int64($1) }) {
            case 4: mark = ReceiptMark(bytes[value])
            case ReceiptPayload.seal: seal = Array(bytes[value])
            default: break
            }
            if seal == nil { sealedEnd = attributes.position }
        }
        guard let mark, let seal else { return .forged }
        let sealed = Array(bytes[set.lowerBound..<sealedEnd])
        return Hash.sha256(sealed) == seal ? .genuine(mark) : .forged
    }

    private static func propertyList(_ bytes: [UInt8]) -> PresentedReceipt {
        guard
            let info = value(of: "purchase-info", in: bytes)
                .flatMap({ Base64Text.decoded(strictly: Array($0)) }),
            let signature = value(of: "signature", in: bytes)
                .flatMap({ Base64Text.decoded(strictly: Array($0)) })
        else { return .malformed }
        guard signature.dropFirst().prefix(32).elementsEqual(Hash.sha256(info)),
            let digits = value(of: "unique-vendor-identifier", in: info),
            let mark = ReceiptMark(hexadecimal: Array(digits))
        else { return .forged }
        return .genuine(mark)
    }

    /// The value of `key` in a property list written by the simulator.
    private static func value(of key: String, in list: [UInt8]) -> ArraySlice<UInt8>? {
        guard let start = list.firstRange(of: Array("\"\(key)\" = \"".utf8))?.upperBound,
            let end = list[start...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return list[start..<end]
    }
}

extension ReceiptMark {
    fileprivate init?(hexadecimal digits: [UInt8]) {
        guard digits.count == 32 else { return nil }
        let bytes = stride(from: 0, to: 32, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        self.init(bytes)
    }
}
