internal import SQL

/// Counts over the team's views and facts about the server, for `doctor` and `--dry-run`.
package struct SurveyStore: Sendable {
    let session: DatabaseSession

    package struct Server: Sendable {
        let version: String
        /// For example 150017.
        let versionNumber: Int
        let encoding: String
        let isStandby: Bool
        /// Whether the session may not write; true on a standby.
        let isReadOnly: Bool
        package let time: Instant
    }

    struct SampledReceipt: Sendable {
        /// Empty for a null.
        let bundle: BundleID
        /// Nil for a null.
        let data: ReceiptData?
    }

    struct Receipts: Sendable {
        let count: Int
        let withoutUser: Int
        let withNull: Int
        let withOddDate: Int
        let newest: Instant?
    }

    struct Entitlements: Sendable {
        let count: Int
        let withoutUser: Int
        let withNull: Int
        let withOddDate: Int
        let ofAppStore: Int
        /// App Store rows whose product is not in the catalogue.
        let withoutProduct: Int
        /// Active App Store rows whose user has no receipt.
        let withoutReceipt: Int
        let newest: Instant?
    }

    package func server() async throws(DatabaseError) -> Server? {
        try await session.query(SQL.describeServer) { row in
            Server(
                version: try row.text("version"), versionNumber: try row.int("version_number"),
                encoding: try row.text("encoding"), isStandby: try row.bool("is_standby"),
                isReadOnly: try row.bool("is_read_only"), time: try row.instant("server_time"))
        }.first
    }

    func receipts() async throws(DatabaseError) -> Receipts? {
        try await session.read(SQL.surveyReceipts) { row in
            Receipts(
                count: try row.int("receipts"), withoutUser: try row.int("without_user"),
                withNull: try row.int("with_null"), withOddDate: try row.int("with_odd_date"),
                newest: try row.optionalInstant("newest"))
        }.first
    }

    /// Ten of the newest receipts.
    func sampledReceipts() async throws(DatabaseError) -> [SampledReceipt] {
        try await session.read(SQL.sampleReceipts) { row in
            SampledReceipt(
                bundle: try row.id("bundle_id"),
                data: try row.optionalText("receipt_data").map { ReceiptData($0) })
        }
    }

    func entitlements() async throws(DatabaseError) -> Entitlements? {
        try await session.read(SQL.surveyEntitlements) { row in
            Entitlements(
                count: try row.int("entitlements"), withoutUser: try row.int("without_user"),
                withNull: try row.int("with_null"), withOddDate: try row.int("with_odd_date"),
                ofAppStore: try row.int("of_app_store"),
                withoutProduct: try row.int("without_product"),
                withoutReceipt: try row.int("without_receipt"),
                newest: try row.optionalInstant("newest"))
        }.first
    }

    /// The figures for the guards that run before the first request. Rows without a user are in no
    /// share.
    package func figures() async throws(DatabaseError) -> Figures {
        var figures = Figures()
        let receipts = try await receipts()
        let entitlements = try await entitlements()
        figures.set(.receipts, to: Double(receipts.map { $0.count - $0.withoutUser } ?? 0))
        figures.set(.entitlements, to: Double(entitlements.map { $0.count - $0.withoutUser } ?? 0))
        figures.set(.appStoreRows, to: Double(entitlements?.ofAppStore ?? 0))
        if let newest = [receipts?.newest, entitlements?.newest].compactMap(\.self).max() {
            figures.set(.newestChange, to: Double(newest.milliseconds))
        }
        for (bundle, count) in try await bundles() {
            figures.set(.receiptsOfBundle, of: bundle.text, to: Double(count))
        }
        return figures
    }

    /// The most frequent values of `source`; empty for null.
    func sources() async throws(DatabaseError) -> [(source: String, count: Int)] {
        try await session.read(SQL.surveySources) { row in
            (source: try row.text("source"), count: try row.int("entitlements"))
        }
    }

    package func bundles() async throws(DatabaseError) -> [(bundle: BundleID, count: Int)] {
        try await session.read(SQL.surveyBundles) { row in
            (bundle: try row.id("bundle_id"), count: try row.int("receipts"))
        }
    }
}
