/// A cell by what its reader may take it for. Nil is empty in CSV, `null` in JSON and in the
/// database.
///
/// Only `text` can hold what a customer or a store wrote, and only an instant or a day of ours can
/// begin with a minus without being a number: these are guarded against being run by a spreadsheet.
package enum Cell: Equatable, Sendable {
    case text(String?)
    case instant(Instant?)
    /// The midnight of a day.
    case day(Instant?)
    case boolean(Bool?)
    case integer(Int?)
    /// Digits with a decimal point, printed by us; a string in JSON, so that no reader rounds it.
    case decimal(String?)
    /// SHA-256 in hexadecimal: text in a report, bytes in the database.
    case digest(String?)
}

extension Cell {
    /// As a report prints it, without what guards it there; empty for nil.
    package var plainText: String {
        switch self {
        case .text(let text), .decimal(let text), .digest(let text): text ?? ""
        case .instant(let instant): instant?.description ?? ""
        case .day(let day): day?.dayText ?? ""
        case .boolean(let truth): truth.map { $0 ? "true" : "false" } ?? ""
        case .integer(let number): number.map(String.init) ?? ""
        }
    }
}
