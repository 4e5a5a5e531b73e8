/// A key that an object has named.
struct JSONKey {
    /// Where the bytes begin that lead to the member's value: white space, the comma, the key, the
    /// colon.
    let leadStart: Int
    let leadCount: Int
    let name: JSONValue
    /// Of two keys that differ here, nothing more is compared. Escaped keys share zero.
    let sign: UInt64
    /// What the caller calls it.
    let code: UInt8

    /// One bit of 64 for a key; all of them for one with escapes, which may equal any other.
    var mark: UInt64 { sign == 0 ? .max : 1 << ((sign &* 0x9E37_79B9_7F4A_7C15) >> 58) }
}

/// How far the reading of one object is.
struct JSONMembers {
    /// Where its keys begin in the scanner's.
    fileprivate let first: Int
    fileprivate var count = 0
    /// So far it reads, values aside, byte for byte like the object before it.
    fileprivate var isFollowing: Bool
    /// The marks of its keys.
    fileprivate var marks: UInt64 = 0
}

/// Objects, member by member.
///
/// Most of an answer are arrays of objects with the same keys in the same order. What leads from
/// one value to the next (`, "product_id": `) is compared with the same place of the object before:
/// where the bytes are the same, the key is known, cannot be a repetition, and the punctuation is
/// right. That is a third of the time that reading each key by itself takes.
extension JSONScanner {
    /// Enters an object whose keys, or those of the objects before it in its array, are in `keys`
    /// since `first`. The caller forgets them at the end of the object or of the array.
    mutating func enterObject(since first: Int) throws(JSONError) -> JSONMembers {
        try enter(UInt8(ascii: "{"))
        return JSONMembers(first: first, isFollowing: first < keys.count)
    }

    mutating func forgetKeys(since first: Int) { keys.removeLast(keys.count - first) }

    /// The code of the next member, whose value must then be read; nil at the end of the object,
    /// which is left.
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

    /// The same for a member of which the object before says nothing.
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

    /// From here on the object's keys are its own.
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

    /// Length, ends and middle of a key.
    private func sign(of name: JSONValue) -> UInt64 {
        guard name.kind == .string else { return 0 }
        guard name.count > 0 else { return 1 }
        let last = name.start + name.count - 1
        return UInt64(truncatingIfNeeded: name.count) << 32 | UInt64(bytes[name.start]) << 16
            | UInt64(bytes[name.start + name.count / 2]) << 8 | UInt64(bytes[last]) | 1 << 31
    }
}
