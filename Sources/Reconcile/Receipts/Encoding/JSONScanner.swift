/// Why some bytes are not one whole JSON document (RFC 8259), or not one that we take.
enum JSONError: Error, Equatable {
    /// A byte that the grammar does not allow here, or the end too early. Offset in bytes.
    case unexpected(at: Int)
    case invalidUTF8(at: Int)
    case tooDeep(at: Int)
    /// One object names a key twice: parsers differ in which they believe.
    case duplicateKey(at: Int)
    case tooManyKeys(at: Int)
}

/// A strict, single-pass reader of JSON that makes no tree: the caller names the members it wants
/// and the scanner checks and passes over the rest.
///
/// It is the evidence that an answer arrived whole: libcurl takes a truncated gzip stream and a
/// wrong Content-Length for success.
struct JSONScanner {
    /// The deepest nesting of arrays and objects that is read.
    static let maxDepth = 64
    /// Apple's largest object has some 50 keys. The bound keeps the duplicate check cheap.
    static let maxKeys = 512

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    private var depth = 0
    /// Keys of the objects that are open, the innermost last.
    private var openKeys: [OpenKey] = []

    private struct OpenKey {
        let text: JSONText
        /// Of two keys that differ here, nothing more is compared. Escaped keys share one.
        let sign: UInt64
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        let isMarked = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        if isMarked { position = 3 }
        openKeys.reserveCapacity(64)
    }

    /// Fails unless only white space is left.
    mutating func finish() throws(JSONError) {
        skipWhitespace()
        guard position == bytes.count else { throw .unexpected(at: position) }
    }

    /// The first byte of the next value, which stays unread.
    mutating func peek() throws(JSONError) -> UInt8 {
        skipWhitespace()
        guard position < bytes.count else { throw .unexpected(at: position) }
        return bytes[position]
    }

    /// Reads one object. `member` must read or skip the value of the key it is given.
    mutating func object(
        _ member: (inout JSONScanner, JSONText) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter(UInt8(ascii: "{"))
        let firstKey = openKeys.count
        defer { openKeys.removeSubrange(firstKey...) }
        if try peek() == UInt8(ascii: "}") {
            position += 1
            depth -= 1
            return
        }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw .unexpected(at: position) }
            let key = try string()
            try remember(key, since: firstKey)
            guard try peek() == UInt8(ascii: ":") else { throw .unexpected(at: position) }
            position += 1
            try member(&self, key)
            if try closes(with: UInt8(ascii: "}")) { return }
        }
    }

    /// Reads one array. `element` must read or skip one value.
    mutating func array(
        _ element: (inout JSONScanner) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter(UInt8(ascii: "["))
        if try peek() == UInt8(ascii: "]") {
            position += 1
            depth -= 1
            return
        }
        while true {
            try element(&self)
            if try closes(with: UInt8(ascii: "]")) { return }
        }
    }

    /// Reads the next value; an array or object is checked and passed over.
    mutating func scalar() throws(JSONError) -> JSONScalar {
        switch try peek() {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"):
            try object { scanner, _ throws(JSONError) in _ = try scanner.scalar() }
            return .container
        case UInt8(ascii: "["):
            try array { scanner throws(JSONError) in _ = try scanner.scalar() }
            return .container
        case UInt8(ascii: "t"):
            try literal("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .boolean(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        default: return .number(try number())
        }
    }

    private mutating func enter(_ bracket: UInt8) throws(JSONError) {
        guard try peek() == bracket else { throw .unexpected(at: position) }
        guard depth < Self.maxDepth else { throw .tooDeep(at: position) }
        depth += 1
        position += 1
    }

    private mutating func closes(with bracket: UInt8) throws(JSONError) -> Bool {
        let byte = try peek()
        guard byte == bracket || byte == UInt8(ascii: ",") else {
            throw .unexpected(at: position)
        }
        position += 1
        if byte == bracket { depth -= 1 }
        return byte == bracket
    }

    private mutating func remember(_ key: JSONText, since first: Int) throws(JSONError) {
        guard openKeys.count - first < Self.maxKeys else { throw .tooManyKeys(at: key.start) }
        let sign = sign(of: key)
        for index in first..<openKeys.count
        where openKeys[index].sign == sign || openKeys[index].sign == 0 || sign == 0 {
            guard !openKeys[index].text.equals(key, in: bytes) else {
                throw .duplicateKey(at: key.start)
            }
        }
        openKeys.append(OpenKey(text: key, sign: sign))
    }

    /// Length, ends and middle of a key. Zero for one with escapes, which may equal any other.
    private func sign(of key: JSONText) -> UInt64 {
        guard !key.isEscaped else { return 0 }
        guard key.count > 0 else { return 1 }
        let last = key.start + key.count - 1
        return UInt64(truncatingIfNeeded: key.count) << 32 | UInt64(bytes[key.start]) << 16
            | UInt64(bytes[key.start + key.count / 2]) << 8 | UInt64(bytes[last]) | 1 << 31
    }

    private mutating func literal(_ word: StaticString) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count else { throw .unexpected(at: position) }
        for offset in 0..<count where bytes[position + offset] != word.utf8Start[offset] {
            throw .unexpected(at: position)
        }
        position += count
    }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}
