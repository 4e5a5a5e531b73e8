/// The dialect of a run's CSV reports (`--csv-dialect`). Raw values are used by the flag, the key
/// `csv_dialect` of `reconcile.run.settings` and `manifest.json`.
package enum CSVDialect: String, CaseIterable, Sendable {
    /// RFC 4180, for programs. Only cells that a spreadsheet would run as a formula are changed.
    case plain
    /// For spreadsheets: with a byte order mark, a leading `'` before text that looks like a
    /// number, and files of at most a million rows.
    case excel
    /// The same for a spreadsheet whose region has a decimal comma: `;` between cells, and `3,33`.
    case excelEU = "excel-eu"

    package var isForSpreadsheets: Bool { self != .plain }

    package var separator: UInt8 { UInt8(ascii: self == .excelEU ? ";" : ",") }

    var decimalSeparator: UInt8 { UInt8(ascii: self == .excelEU ? "," : ".") }
}
