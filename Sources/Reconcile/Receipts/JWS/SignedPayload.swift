/// The payload of a JWS: a JSON object, whose members are references into its bytes.
///
/// Apple adds members without notice, so none is required, and values of an unexpected type count
/// as absent. Source: <https://developer.apple.com/documentation/appstoreserverapi>.
struct SignedPayload: Sendable {
    struct Member: Sendable {
        let name: JSONValue
        /// The raw JSON of an object or a list.
        let value: JSONValue
    }

    let bytes: [UInt8]
    /// In the order of the payload.
    let members: [Member]

    /// Nil when `bytes` are not a JSON object.
    init?(_ bytes: [UInt8]) {
        guard bytes.first == UInt8(ascii: "{"),
            let members = bytes.withUnsafeBufferPointer({ try? Self.members($0) })
        else { return nil }
        self.bytes = bytes
        self.members = members
    }

    private static func members(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONError) -> [Member] {
        var scanner = try JSONScanner(bytes)
        var state = try scanner.enterObject(since: 0)
        var members: [Member] = []
        members.reserveCapacity(32)
        while try scanner.nextMember(of: &state) != nil {
            let name = scanner.keys[scanner.keys.count - 1].name
            _ = try scanner.peek()
            let start = scanner.position
            let value = try scanner.value()
            let isContainer = value.kind == .container
            let whole = JSONValue(.container, start: start, count: scanner.position - start)
            members.append(Member(name: name, value: isContainer ? whole : value))
        }
        try scanner.finish()
        return members
    }

    /// Absent for a null, as for a missing member.
    subscript(name: StaticString) -> JSONValue {
        bytes.withUnsafeBufferPointer { bytes in
            let found = members.first { $0.name.equals(name, in: bytes) }?.value ?? .absent
            return found.kind == .null ? .absent : found
        }
    }

    func has(_ name: StaticString) -> Bool { !self[name].isAbsent }

    /// A string that is not empty, or the digits of a number.
    func text(_ name: StaticString) -> String? {
        guard let value = self[name].text else { return nil }
        return bytes.withUnsafeBufferPointer { value.string(in: $0) }
    }

    func id<Tag>(_ name: StaticString) -> Identifier<Tag>? { text(name).map { Identifier($0) } }

    func integer(_ name: StaticString) -> Int? {
        let value = self[name]
        return bytes.withUnsafeBufferPointer { value.integer(in: $0) }
    }

    func flag(_ name: StaticString) -> Bool? {
        let value = self[name]
        return bytes.withUnsafeBufferPointer { value.flag(in: $0) }
    }

    func date(_ name: StaticString) -> SignedDate {
        let value = self[name]
        guard !value.isAbsent else { return .absent }
        guard value.isText else { return .unreadable }
        let instant = bytes.withUnsafeBufferPointer {
            AppleTimestamp.instant(milliseconds: value.raw(in: $0))
        }
        return instant.map { .instant($0) } ?? .unreadable
    }

    func object(_ name: StaticString) -> SignedPayload? {
        let value = self[name]
        guard value.kind == .container else { return nil }
        return bytes.withUnsafeBufferPointer { SignedPayload(Array(value.raw(in: $0))) }
    }
}

/// A date of a payload: milliseconds since 1970, rounded down.
enum SignedDate: Equatable, Sendable {
    case absent
    /// A value is present and is not an instant.
    case unreadable
    case instant(Instant)

    var instant: Instant? {
        if case .instant(let instant) = self { return instant }
        return nil
    }
}
