/// How the CSV of a run's reports is written (`--csv-dialect`). Raw values are the flag's, the key
/// `csv_dialect` of `reconcile.run.settings`, and that of `manifest.json`.
package enum CSVDialect: String, CaseIterable, Sendable {
    /// For programs: RFC 4180, and no more than what a spreadsheet would run is changed.
    case plain
    /// For a double-click: with a byte order mark, with `'` before what a spreadsheet would take
    /// for a number, and in files of a million rows.
    case excel
}
