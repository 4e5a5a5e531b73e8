/// A strict, single-pass JSON reader without a tree: the caller reads the members it needs; the
/// rest is checked and skipped.
///
/// Only a complete parse shows that an answer arrived whole: libcurl reports success for a
/// truncated gzip stream and for a wrong Content-Length.
struct JSONScanner {
    /// The largest answer seen so far has half a megabyte.
    static let maxBytes = 16 << 20
    static let maxDepth = 64
    /// Apple's largest object has some 50 keys. The limit keeps the check for duplicates cheap.
    static let maxKeys = 512

    /// Maps a key to a code of the caller's choice.
    typealias Naming = (JSONValue, UnsafeBufferPointer<UInt8>) -> UInt8

    let bytes: UnsafeBufferPointer<UInt8>
    let naming: Naming
    var position = 0
    private(set) var depth = 0
    /// The keys of the open objects, and of the previous objects in their arrays.
    var keys: [JSONKey] = []

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, naming: @escaping Naming = { _, _ in 0 }
    ) throws(JSONError) {
        guard bytes.count <= Self.maxBytes else { throw .tooLarge }
        self.bytes = bytes
        self.naming = naming
        let isMarked = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        if isMarked { position = 3 }
        keys.reserveCapacity(64)
    }

    mutating func finish() throws(JSONError) {
        skipWhitespace()
        guard position == bytes.count else { throw .unexpected(at: position) }
    }

    @inline(__always)
    mutating func peek() throws(JSONError) -> UInt8 {
        skipWhitespace()
        guard position < bytes.count else { throw .unexpected(at: position) }
        return bytes[position]
    }

    /// Reads the next value. An array or object is checked and skipped.
    @inline(__always)
    mutating func value() throws(JSONError) -> JSONValue {
        // The fast path: most values are strings without white space before them.
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            return try otherValue()
        }
        return try string()
    }

    @inline(never)
    private mutating func otherValue() throws(JSONError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "{"):
            try skipObject()
            return JSONValue(.container)
        case UInt8(ascii: "["):
            try skipArray()
            return JSONValue(.container)
        case UInt8(ascii: "t"): return try literal("true", .true)
        case UInt8(ascii: "f"): return try literal("false", .false)
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    mutating func enterArray() throws(JSONError) { try enter(UInt8(ascii: "[")) }

    /// Whether an element follows, which the caller must read next. At the end, leaves the array.
    mutating func nextElement(isFirst: Bool) throws(JSONError) -> Bool {
        let byte = try peek()
        if byte == UInt8(ascii: "]") {
            leave()
            return false
        }
        guard !isFirst else { return true }
        guard byte == UInt8(ascii: ",") else { throw .unexpected(at: position) }
        position += 1
        return true
    }

    mutating func enter(_ bracket: UInt8) throws(JSONError) {
        guard try peek() == bracket else { throw .unexpected(at: position) }
        guard depth < Self.maxDepth else { throw .tooDeep(at: position) }
        depth += 1
        position += 1
    }

    mutating func leave() {
        position += 1
        depth -= 1
    }

    private mutating func skipObject() throws(JSONError) {
        let first = keys.count
        var members = try enterObject(since: first)
        while try nextMember(of: &members) != nil { _ = try value() }
        forgetKeys(since: first)
    }

    private mutating func skipArray() throws(JSONError) {
        try enterArray()
        var isFirst = true
        while try nextElement(isFirst: isFirst) {
            isFirst = false
            _ = try value()
        }
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}
