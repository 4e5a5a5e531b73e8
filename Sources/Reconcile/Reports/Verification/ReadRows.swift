extension ReportedFinding: ReadableRow {
    package func naming(likeIn other: ReportedFinding) -> ReportedFinding? {
        let sentence = other.finding.explanation
        guard Erasure.isUnnamed(finding.explanation, from: sentence) else { return nil }
        var named = self
        named.finding.explanation = sentence
        return named
    }

    package var name: String { "finding \(id)" }

    package init?(cells: NamedCells) {
        var row = ReportedFinding.blank
        for column in FindingColumn.reported where column.scope == .tableAndReports {
            guard let cell = Cell(cells[column.name], of: column.type), column.take(&row, cell)
            else { return nil }
        }
        self = row
    }
}

extension UnverifiedReceipt: ReadableRow {
    package var name: String { "receipt \(receipt?.text ?? "")" }

    package init?(cells: NamedCells) {
        guard let cause = cells["cause"], let attempts = cells["attempts"].flatMap(Int.init),
            let affected = cells["entitlements_affected"].flatMap(Int.init)
        else { return nil }
        let source = cells["source"].flatMap(AnswerSource.init)
        guard source != nil || cells["source"] == nil else { return nil }
        self.init(
            receipt: cells["receipt_id"].map { ReceiptID($0) },
            user: cells["user_id"].map { UserID($0) },
            bundle: cells["bundle_id"].map { BundleID($0) }, cause: cause, attempts: attempts,
            lastStatus: cells["last_status"].flatMap(Int.init),
            lastHTTPStatus: cells["last_http_status"].flatMap(Int.init), detail: cells["detail"],
            entitlementsAffected: affected, source: source)
    }
}

extension NotReportedRow: ReadableRow {
    package var name: String { "entitlement \(notReported.entitlement?.text ?? "")" }

    package init?(cells: NamedCells) {
        guard let bucket = cells["bucket"].flatMap(NotReported.Bucket.init),
            let cause = cells["cause"].flatMap(NotReported.Cause.init)
        else { return nil }
        let kind = cells["kind"].flatMap(FindingKind.init)
        guard kind != nil || cells["kind"] == nil else { return nil }
        self.init(
            user: cells["user_id"].map { UserID($0) },
            notReported: NotReported(
                entitlement: cells["entitlement_id"].map { EntitlementID($0) }, bucket: bucket,
                kind: kind, cause: cause))
    }
}

extension Cell {
    /// Nil when `text` is not a value of that type.
    fileprivate init?(_ text: String?, of type: Cell) {
        switch type {
        case .text: self = .text(text)
        case .decimal: self = .decimal(text)
        case .digest: self = .digest(text)
        case .integer:
            let number = text.flatMap(Int.init)
            guard number != nil || text == nil else { return nil }
            self = .integer(number)
        case .boolean:
            guard text == nil || text == "true" || text == "false" else { return nil }
            self = .boolean(text.map { $0 == "true" })
        case .instant:
            let instant = text.flatMap(Instant.init(printed:))
            guard instant != nil || text == nil else { return nil }
            self = .instant(instant)
        case .day:
            let day = text.flatMap(Instant.init(printedDay:))
            guard day != nil || text == nil else { return nil }
            self = .day(day)
        }
    }
}

extension UnitLine: ReadableRow {
    package var name: String { "the units of \(product) on \(day.dayText)" }

    package init?(cells: NamedCells) {
        guard let day = cells["day_pacific"].flatMap(Instant.init(printedDay:)),
            let bundle = cells["bundle_id"], let product = cells["product_id"],
            let sold = cells["sold"].flatMap(Int.init),
            let trials = cells["trials"].flatMap(Int.init),
            let refunded = cells["refunded"].flatMap(Int.init),
            let upgraded = cells["upgraded"].flatMap(Int.init),
            let customers = cells["customers"].flatMap(Int.init)
        else { return nil }
        self.init(
            day: day, bundle: BundleID(bundle), product: ProductID(product),
            counts: UnitCounts(
                sold: sold, trials: trials, refunded: refunded, upgraded: upgraded),
            customers: customers)
    }
}

extension FindingTotal: ReadableRow {
    package var name: String { "the total of \(group.kind.rawValue)" }

    package init?(cells: NamedCells) {
        guard let kind = cells["kind"].flatMap(FindingKind.init),
            let direction = cells["direction"].flatMap(Direction.init),
            let lifecycle = cells["lifecycle"].flatMap(Lifecycle.init),
            let count = cells["count"].flatMap(Int.init)
        else { return nil }
        let day = cells["event_day"].flatMap(Instant.init(printedDay:))
        let dayPacific = cells["event_day_pacific"].flatMap(Instant.init(printedDay:))
        guard (day == nil) == (cells["event_day"] == nil),
            (dayPacific == nil) == (cells["event_day_pacific"] == nil)
        else { return nil }
        let basis = cells["amount_basis"].flatMap(AmountBasis.init)
        let age = cells["age"].flatMap(Age.init)
        guard basis != nil || cells["amount_basis"] == nil, age != nil || cells["age"] == nil
        else { return nil }
        let group = Group(
            eventDay: day, eventDayPacific: dayPacific,
            bundle: cells["bundle_id"].map { BundleID($0) },
            product: cells["product_id"].map { ProductID($0) }, kind: kind, direction: direction,
            lifecycle: lifecycle, currency: cells["currency"], amountBasis: basis,
            age: age)
        self.init(group, count: count, amount: cells["amount"])
    }
}

extension Instant {
    init?(printedDay text: String) {
        let isFinite = ![Instant.distantFuture, .distantPast].map(\.description).contains(text)
        self.init(printed: isFinite ? text + "T00:00:00Z" : text)
    }

    init?(printed text: String) {
        switch text {
        case Instant.distantFuture.description: self = .distantFuture
        case Instant.distantPast.description: self = .distantPast
        default:
            if let instant = Instant(rfc3339: text) {
                self = instant
            } else if let instant = Instant(distantYear: text) {
                self = instant
            } else {
                return nil
            }
        }
    }

    /// Parses a year that RFC 3339 cannot write; the calendar repeats every 400 years.
    private init?(distantYear text: String) {
        let rest = text.suffix(16)
        guard let year = Int(text.dropLast(16)),
            let near = Instant(rfc3339: String(2_000 + ((year % 400) + 400) % 400) + rest)
        else { return nil }
        let cycles = (year - 2_000 - ((year % 400) + 400) % 400) / 400
        self = near.advanced(byMilliseconds: Int64(cycles) * 146_097 * 86_400_000)
    }
}
