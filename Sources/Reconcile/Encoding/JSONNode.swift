/// A JSON document as a tree of references into its bytes, for documents with few members. A large
/// one, of which little is needed, is better read by `JSONScanner` itself.
struct JSONNode: Sendable {
    private enum Content: Sendable {
        case value(JSONValue)
        case object([(name: JSONValue, node: JSONNode)])
        case array([JSONNode])
    }

    private let content: Content
    private let bytes: [UInt8]

    /// The root of a document. It is read to its end: only that shows that it arrived whole.
    init(_ bytes: [UInt8]) throws(JSONError) {
        let content = bytes.withUnsafeBufferPointer { buffer -> Result<Content, JSONError> in
            do throws(JSONError) {
                var scanner = try JSONScanner(buffer)
                let content = try Self.content(&scanner, of: bytes)
                try scanner.finish()
                return .success(content)
            } catch {
                return .failure(error)
            }
        }
        self.init(content: try content.get(), bytes: bytes)
    }

    private init(content: Content, bytes: [UInt8]) {
        self.content = content
        self.bytes = bytes
    }

    private static func content(
        _ scanner: inout JSONScanner, of bytes: [UInt8]
    ) throws(JSONError) -> Content {
        switch try scanner.peek() {
        case UInt8(ascii: "{"):
            let first = scanner.keys.count
            var state = try scanner.enterObject(since: first)
            var members: [(name: JSONValue, node: JSONNode)] = []
            while try scanner.nextMember(of: &state) != nil {
                let name = scanner.keys[first + members.count].name
                let content = try content(&scanner, of: bytes)
                members.append((name, JSONNode(content: content, bytes: bytes)))
            }
            scanner.forgetKeys(since: first)
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONNode] = []
            try scanner.enterArray()
            while try scanner.nextElement(isFirst: elements.isEmpty) {
                elements.append(JSONNode(content: try content(&scanner, of: bytes), bytes: bytes))
            }
            return .array(elements)
        default:
            return .value(try scanner.value())
        }
    }

    /// Nil for a missing member, for null, and when this is no object.
    subscript(name: StaticString) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        let found = bytes.withUnsafeBufferPointer { bytes in
            members.first { $0.name.equals(name, in: bytes) }?.node
        }
        if case .value(let value)? = found?.content, value.kind == .null { return nil }
        return found
    }

    /// Nil when this is no array.
    var elements: [JSONNode]? {
        if case .array(let elements) = content { return elements }
        return nil
    }

    /// The bytes of a string; nil when this is none.
    var text: ArraySlice<UInt8>? {
        guard case .value(let value) = content, value.isString else { return nil }
        guard value.kind == .escapedString else {
            return bytes[value.start..<value.start + value.count]
        }
        return bytes.withUnsafeBufferPointer { value.resolved(in: $0)[...] }
    }

    var string: String? { text.map { String(decoding: $0, as: UTF8.self) } }

    var integer: Int? {
        guard case .value(let value) = content else { return nil }
        return bytes.withUnsafeBufferPointer { value.integer(in: $0) }
    }

    var flag: Bool? {
        guard case .value(let value) = content else { return nil }
        return bytes.withUnsafeBufferPointer { value.flag(in: $0) }
    }
}
