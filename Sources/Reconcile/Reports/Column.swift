/// One column of a report, for both of its formats: a name and where its cells come from.
struct Column<Row>: Sendable {
    let name: String
    let cell: @Sendable (Row, Run) -> Cell

    init(_ name: String, _ cell: @escaping @Sendable (Row, Run) -> Cell) {
        (self.name, self.cell) = (name, cell)
    }
}

/// A cell by what its reader may take it for. Nil is empty in CSV and `null` in JSON.
///
/// Only `text` can hold what a customer or a store wrote, and only an `instant` of ours can begin
/// with a minus without being a number: these two are guarded against being run by a spreadsheet.
enum Cell: Equatable, Sendable {
    case text(String?)
    case instant(Instant?)
    case boolean(Bool?)
    case integer(Int?)
    /// Digits with a decimal point, printed by us; a string in JSON, so that no reader rounds it.
    case decimal(String?)
}
