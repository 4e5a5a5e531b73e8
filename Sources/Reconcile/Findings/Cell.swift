/// A typed cell of a report or table. Nil is empty in CSV, and `null` in JSON and in the database.
///
/// Only `text` can hold what a customer or a store wrote; only `text`, `instant` and `day` can
/// begin with a minus without being a number. Reports guard these against being run as formulas.
enum Cell: Equatable, Sendable {
    case text(String?)
    case instant(Instant?)
    case day(Instant?)
    case boolean(Bool?)
    case integer(Int?)
    /// Digits with a decimal point. A string in JSON, so that no reader rounds it.
    case decimal(String?)
    /// SHA-256 in hexadecimal: text in a report, bytes in the database.
    case digest(String?)
}

extension Cell {
    var plainText: String {
        switch self {
        case .text(let text), .decimal(let text), .digest(let text): text ?? ""
        case .instant(let instant): instant?.description ?? ""
        case .day(let day): day?.dayText ?? ""
        case .boolean(let truth): truth.map { $0 ? "true" : "false" } ?? ""
        case .integer(let number): number.map(String.init) ?? ""
        }
    }
}
