/// A JSON document, printed with two spaces of indentation. Keys keep their given order.
indirect enum PrintedJSON {
    case object([(key: String, value: PrintedJSON)])
    case array([PrintedJSON])
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case null

    init(_ text: String?) { self = text.map(Self.string) ?? .null }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, indentation: 0)
        bytes.append(10)
        return bytes
    }

    /// The document in one line, without a line feed.
    var compact: [UInt8] {
        var bytes: [UInt8] = []
        appendCompact(to: &bytes)
        return bytes
    }

    private func appendCompact(to bytes: inout [UInt8]) {
        switch self {
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(jsonString: member.key)
                bytes.append(UInt8(ascii: ":"))
                member.value.appendCompact(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.appendCompact(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .string, .integer, .boolean, .null: append(to: &bytes, indentation: 0)
        }
    }

    private func append(to bytes: inout [UInt8], indentation: Int) {
        switch self {
        case .object(let members):
            Self.append(members, between: "{}", to: &bytes, indentation: indentation) {
                $1.append(jsonString: $0.key)
                $1.append(contentsOf: ": ".utf8)
                $0.value.append(to: &$1, indentation: indentation + 1)
            }
        case .array(let elements):
            Self.append(elements, between: "[]", to: &bytes, indentation: indentation) {
                $0.append(to: &$1, indentation: indentation + 1)
            }
        case .string(let text): bytes.append(jsonString: text)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .boolean(let truth): bytes.append(contentsOf: (truth ? "true" : "false").utf8)
        case .null: bytes.append(contentsOf: "null".utf8)
        }
    }

    private static func append<Element>(
        _ elements: [Element], between brackets: StaticString, to bytes: inout [UInt8],
        indentation: Int, appendElement: (Element, inout [UInt8]) -> Void
    ) {
        let brackets = Array("\(brackets)".utf8)
        bytes.append(brackets[0])
        for (index, element) in elements.enumerated() {
            bytes.append(contentsOf: index == 0 ? [10] : [UInt8(ascii: ","), 10])
            bytes.append(contentsOf: repeatElement(32, count: 2 * (indentation + 1)))
            appendElement(element, &bytes)
        }
        if !elements.isEmpty {
            bytes.append(10)
            bytes.append(contentsOf: repeatElement(32, count: 2 * indentation))
        }
        bytes.append(brackets[1])
    }
}
