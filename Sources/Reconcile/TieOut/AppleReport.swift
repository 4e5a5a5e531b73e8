/// What a report file of App Store Connect says, read to its end.
package struct AppleReport: Equatable, Sendable {
    /// Raw values are those of `kind` in `summary.json`.
    package enum Kind: String, Sendable, CaseIterable {
        /// The Summary Sales Report, daily.
        case sales
        /// `FINANCE_DETAIL`, of a fiscal month.
        case financialDetail = "financial_detail"
    }

    /// What rows of units are added up by.
    package struct Key: Hashable, Sendable {
        var day: Instant
        /// Apple's SKU of an in-app purchase is its product id.
        var product: ProductID
        /// The SKU of the app: nil in financial detail, which does not name it.
        var app: AppSKU?
        var measure: UnitMeasure
    }

    package struct Tally: Equatable, Sendable {
        var units = 0
        var rows = 0
    }

    /// The path, as the operator gave it.
    package let path: String
    package let kind: Kind
    /// Of the file as it is, in hexadecimal.
    let sha256: String
    /// Of its content: another digest where the file is compressed.
    let contentSHA256: String
    /// Its rows, whether they count or not.
    let rows: Int
    /// The days that it reports, as midnights UTC, each with the line that first says so.
    let days: [Instant: Int]
    let units: [Key: Tally]

    /// Without the folders.
    package var name: String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }

    init(
        path: String, kind: Kind, sha256: String, contentSHA256: String, rows: Int,
        days: [Instant: Int], units: [Key: Tally]
    ) {
        self.path = path
        self.kind = kind
        self.sha256 = sha256
        self.contentSHA256 = contentSHA256
        self.rows = rows
        self.days = days
        self.units = units
    }
}
