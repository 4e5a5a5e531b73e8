/// Why bytes are not a JSON document (RFC 8259), or one that is not accepted.
enum JSONError: Error, Equatable {
    /// A byte that the grammar does not allow, or the end of the input. Offset in bytes.
    case unexpected(at: Int)
    case invalidUTF8(at: Int)
    case tooDeep(at: Int)
    /// A key twice in one object: parsers differ in which value they take.
    case duplicateKey(at: Int)
    case tooManyKeys(at: Int)
    case tooLarge
}

extension JSONError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unexpected(let offset): "syntax error at byte \(offset)"
        case .invalidUTF8(let offset): "invalid UTF-8 at byte \(offset)"
        case .tooDeep(let offset): "nesting too deep at byte \(offset)"
        case .duplicateKey(let offset): "duplicate key at byte \(offset)"
        case .tooManyKeys(let offset): "too many keys in one object at byte \(offset)"
        case .tooLarge: "it is too large"
        }
    }
}
