import Foundation

/// A JSON text, to be compared with literals: `document["receipts"]["in_scope"] == 5`. A member
/// that does not exist is `nil`, as is a JSON null.
enum JSONDocument: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case list([JSONDocument])
    case object([String: JSONDocument])

    init(_ text: String) throws {
        let options: JSONSerialization.ReadingOptions = [.fragmentsAllowed]
        self.init(try JSONSerialization.jsonObject(with: Data(text.utf8), options: options))
    }

    private init(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        // An NSNumber of 0 or 1 converts to Bool; only a JSON boolean has the C type char.
        case let number as NSNumber where String(cString: number.objCType) == "c":
            self = .boolean(number.boolValue)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let list as [Any]: self = .list(list.map(Self.init))
        case let object as [String: Any]: self = .object(object.mapValues(Self.init))
        default: self = .null
        }
    }

    subscript(name: String) -> JSONDocument {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    subscript(index: Int) -> JSONDocument {
        guard case .list(let items) = self, items.indices.contains(index) else { return .null }
        return items[index]
    }

    /// The items of a list.
    var items: [JSONDocument] {
        guard case .list(let items) = self else { return [] }
        return items
    }

    /// The names of an object's members, sorted.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.sorted()
    }

    /// An object without some of its members.
    func without(_ names: String...) -> JSONDocument {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !names.contains($0.key) })
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// A member of each item.
    func texts(_ name: String) -> [String?] { items.map { $0[name].text } }
}

extension JSONDocument: CustomStringConvertible {
    /// JSON, with the members of an object in alphabetical order.
    var description: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number):
            number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .text(let text): "\"\(text)\""
        case .list(let items): "[\(items.map(\.description).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\"\($0)\": \($1)" }.sorted().joined(separator: ", "))}"
        }
    }
}

extension JSONDocument: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(Double(number)) }
    init(floatLiteral number: Double) { self = .number(number) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral items: JSONDocument...) { self = .list(items) }
    init(dictionaryLiteral members: (String, JSONDocument)...) {
        self = .object(Dictionary(members) { $1 })
    }
}
