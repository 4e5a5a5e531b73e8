/// The dialect of a run's CSV reports (`--csv-dialect`). Raw values are used by the flag, the key
/// `csv_dialect` of `reconcile.run.settings` and `manifest.json`.
package enum CSVDialect: String, CaseIterable, Sendable {
    /// RFC 4180, for programs. Only cells that a spreadsheet would run as a formula are changed.
    case plain
    /// For spreadsheets: with a byte order mark, a leading `'` before text that looks like a
    /// number, and files of at most a million rows.
    case excel
}
