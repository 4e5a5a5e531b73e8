struct JSONKey {
    /// The start of the bytes that lead to the member's value: white space, comma, key and colon.
    let leadStart: Int
    let leadCount: Int
    let name: JSONValue
    /// Keys with different signs differ. 0 for a key with escapes, which may equal any other.
    let sign: UInt64
    let code: UInt8

    /// One bit of 64 for the key. All bits for a key with escapes, which may equal any other.
    var mark: UInt64 { sign == 0 ? .max : 1 << ((sign &* 0x9E37_79B9_7F4A_7C15) >> 58) }
}

struct JSONMembers {
    fileprivate let first: Int
    fileprivate var count = 0
    /// Whether all bytes but the values have been the same as in the previous object.
    fileprivate var isFollowing: Bool
    fileprivate var marks: UInt64 = 0
}

/// An object that was read.
struct JSONObject: Equatable {
    fileprivate let start: UInt32
    fileprivate let count: UInt32
    fileprivate let depth: UInt8
}

extension JSONScanner {
    /// The object that began at `start`, when the scanner has just read it.
    func object(from start: Int) -> JSONObject {
        JSONObject(
            start: UInt32(start), count: UInt32(position - start), depth: UInt8(depth))
    }

    /// Moves behind the next object if it has the same bytes as `other`, and so the same members.
    mutating func skipCopy(of other: JSONObject) -> Bool {
        // Less deep than `other`, it cannot be nested too deeply.
        let count = Int(other.count)
        guard depth <= other.depth, bytes.count - position >= count else { return false }
        let base = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
        guard hasSameBytes(base + position, base + Int(other.start), count: count) else {
            return false
        }
        position += count
        return true
    }
}

/// Most objects of an answer have the keys of the previous object in the same order. So the scanner
/// compares the bytes before a value (`, "product_id": `) with those of the previous object. If
/// they are equal, the key is known, not a duplicate, and the punctuation is right. This takes a
/// third of the time of parsing each key.
extension JSONScanner {
    /// The keys of this object, or of the previous one of its array, start at index `first` of
    /// `keys`. The caller calls `forgetKeys` at the end of the object or of the array.
    mutating func enterObject(since first: Int) throws(JSONError) -> JSONMembers {
        try enter(UInt8(ascii: "{"))
        return JSONMembers(first: first, isFollowing: first < keys.count)
    }

    mutating func forgetKeys(since first: Int) { keys.removeLast(keys.count - first) }

    /// The code of the next member, whose value the caller must read next. Leaves the object at its
    /// end and returns nil.
    @inline(__always)
    mutating func nextMember(of members: inout JSONMembers) throws(JSONError) -> UInt8? {
        let index = members.first + members.count
        guard members.isFollowing, index < keys.count else { return try ownMember(of: &members) }
        let key = keys[index]
        guard follows(key) else { return try ownMember(of: &members) }
        position += key.leadCount
        members.count += 1
        return key.code
    }

    @inline(never)
    private mutating func ownMember(of members: inout JSONMembers) throws(JSONError) -> UInt8? {
        let lead = position
        var byte = try peek()
        if byte == UInt8(ascii: "}") {
            leave()
            return nil
        }
        if members.count > 0 {
            guard byte == UInt8(ascii: ",") else { throw .unexpected(at: position) }
            position += 1
            byte = try peek()
        }
        guard byte == UInt8(ascii: "\"") else { throw .unexpected(at: position) }
        if members.isFollowing { stopFollowing(&members) }
        return try newKey(lead, &members)
    }

    @inline(__always)
    private func follows(_ key: JSONKey) -> Bool {
        guard bytes.count - position >= key.leadCount else { return false }
        let base = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
        return hasSameBytes(base + position, base + key.leadStart, count: key.leadCount)
    }

    private mutating func stopFollowing(_ members: inout JSONMembers) {
        members.isFollowing = false
        keys.removeLast(keys.count - members.first - members.count)
        members.marks = keys[members.first...].reduce(0) { $0 | $1.mark }
    }

    private mutating func newKey(
        _ lead: Int, _ members: inout JSONMembers
    ) throws(JSONError) -> UInt8 {
        let name = try string()
        guard members.count < Self.maxKeys else { throw .tooManyKeys(at: name.start) }
        guard try peek() == UInt8(ascii: ":") else { throw .unexpected(at: position) }
        position += 1
        skipWhitespace()
        let key = JSONKey(
            leadStart: lead, leadCount: position - lead, name: name, sign: sign(of: name),
            code: naming(name, bytes))
        if members.marks & key.mark != 0, repeats(key, since: members.first) {
            throw .duplicateKey(at: name.start)
        }
        members.marks |= key.mark
        members.count += 1
        keys.append(key)
        return key.code
    }

    private func repeats(_ key: JSONKey, since first: Int) -> Bool {
        keys[first...].contains { other in
            (other.sign == key.sign || other.sign == 0 || key.sign == 0)
                && other.name.equals(key.name, in: bytes)
        }
    }

    /// Length, first, middle and last byte of a key.
    private func sign(of name: JSONValue) -> UInt64 {
        guard name.kind == .string else { return 0 }
        guard name.count > 0 else { return 1 }
        let last = name.start + name.count - 1
        return UInt64(truncatingIfNeeded: name.count) << 32 | UInt64(bytes[name.start]) << 16
            | UInt64(bytes[name.start + name.count / 2]) << 8 | UInt64(bytes[last]) | 1 << 31
    }
}
