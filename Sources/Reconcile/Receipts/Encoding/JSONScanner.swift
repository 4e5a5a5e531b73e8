/// Why some bytes are not one whole JSON document (RFC 8259), or not one that we take.
enum JSONError: Error, Equatable {
    /// A byte that the grammar does not allow here, or the end too early. Offset in bytes.
    case unexpected(at: Int)
    case invalidUTF8(at: Int)
    case tooDeep(at: Int)
    /// One object names a key twice: parsers differ in which they believe.
    case duplicateKey(at: Int)
    case tooManyKeys(at: Int)
    /// More bytes, or longer lists, than we take.
    case tooLarge
}

extension JSONError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unexpected(let place): "it ends or is wrong at byte \(place)"
        case .invalidUTF8(let place): "it is not UTF-8 at byte \(place)"
        case .tooDeep(let place): "it is too deep at byte \(place)"
        case .duplicateKey(let place): "a name stands twice at byte \(place)"
        case .tooManyKeys(let place): "an object has too many names at byte \(place)"
        case .tooLarge: "it is too large"
        }
    }
}

/// A strict, single-pass reader of JSON that makes no tree: the caller names the members it wants
/// and the scanner checks and passes over the rest.
///
/// It is the evidence that an answer arrived whole: libcurl takes a truncated gzip stream and a
/// wrong Content-Length for success.
struct JSONScanner {
    /// SPEC §3. The largest answer that was ever seen has half a megabyte.
    static let maxBytes = 16 << 20
    /// The deepest nesting of arrays and objects that is read.
    static let maxDepth = 64
    /// Apple's largest object has some 50 keys. The bound keeps the duplicate check cheap.
    static let maxKeys = 512

    /// Says which of the caller's members a key is: a number that the scanner keeps beside it.
    typealias Naming = (JSONValue, UnsafeBufferPointer<UInt8>) -> UInt8

    let bytes: UnsafeBufferPointer<UInt8>
    let naming: Naming
    var position = 0
    private var depth = 0
    /// Keys of the objects that are open, and of those before them in their arrays.
    var keys: [JSONKey] = []

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, naming: @escaping Naming = { _, _ in 0 }
    ) throws(JSONError) {
        guard bytes.count <= Self.maxBytes else { throw .tooLarge }
        (self.bytes, self.naming) = (bytes, naming)
        let isMarked = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        if isMarked { position = 3 }
        keys.reserveCapacity(64)
    }

    /// Fails unless only white space is left.
    mutating func finish() throws(JSONError) {
        skipWhitespace()
        guard position == bytes.count else { throw .unexpected(at: position) }
    }

    /// The first byte of the next value, which stays unread.
    @inline(__always)
    mutating func peek() throws(JSONError) -> UInt8 {
        skipWhitespace()
        guard position < bytes.count else { throw .unexpected(at: position) }
        return bytes[position]
    }

    /// Reads the next value; an array or object is checked and passed over.
    @inline(__always)
    mutating func value() throws(JSONError) -> JSONValue {
        // Nearly all of an answer are strings, with nothing before them.
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

    /// Enters an array, whose elements `nextElement` then leads to.
    mutating func enterArray() throws(JSONError) { try enter(UInt8(ascii: "[")) }

    /// Whether one more element follows, which must then be read; else leaves the array.
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
