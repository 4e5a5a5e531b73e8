extension FolderVerification {
    /// Reads all tables. Returns the faults of each that has any.
    ///
    /// What a damaged or faulty table adds up to proves nothing, so `totals` are compared with the
    /// findings only where these are without fault.
    mutating func tableFaults(
        _ run: RowStamp, _ entries: [Manifest.Entry]
    ) -> [String: TableFaults] {
        var sums = sums
        var faults: [String: TableFaults] = [:]
        let findings = ReportedFinding.columns
        for file in FindingFile.allCases {
            faults[file.rawValue] = self.faults(
                file.rawValue, findings, run, entries, precedes: { $0.comesBefore($1) },
                inspect: { row in
                    do throws(MoneyTally.Unsummable) {
                        try sums.add(row, asOf: run.asOf)
                    } catch {
                        return (.content, error.what)
                    }
                    return row.contradiction(in: file).map { (.content, $0) }
                })
        }
        let addsUp = faults.isEmpty
        faults["cleared"] = self.faults(
            "cleared", findings, run, entries, precedes: { $0.comesBefore($1) },
            inspect: { row in
                sums.addCleared(row)
                return row.hasForeignID ? (.content, ReportedFinding.foreignID) : nil
            })
        faults["unverified"] = self.faults(
            "unverified", UnverifiedReceipt.columns, run, entries, precedes: { $0.isBefore($1) },
            inspect: { row in
                sums.add(row)
                return nil
            })
        faults["not_reported"] = self.faults(
            "not_reported", NotReportedRow.columns, run, entries, precedes: { $0.isBefore($1) },
            inspect: { row in
                sums.add(row)
                return nil
            })
        faults["totals"] = self.faults(
            "totals", FindingTotal.columns, run, entries, precedes: { $0.comesBefore($1) },
            inspect: { row in
                guard addsUp else { return nil }
                do throws(MoneyTally.Unsummable) {
                    return try sums.settle(row).map { (.sum, $0) }
                } catch {
                    return (.content, error.what)
                }
            })
        self.sums = sums
        return faults
    }

    /// The faults of `units`; nil without one.
    mutating func unitFaults(
        in summary: PrintedPaths, _ run: RowStamp, _ entries: [Manifest.Entry]
    ) -> TableFaults? {
        var sums = sums
        let first = summary["units.from"] ?? ""
        let last = summary["units.to"] ?? ""
        let found = faults(
            "units", UnitLine.columns, run, entries, precedes: { !$1.comesBefore($0) },
            inspect: { row in
                sums.units += row.counts
                guard (first...max(first, last)).contains(row.day.dayText) else {
                    return (.content, "its day is not one that the run counts")
                }
                return row.counts.isPossible ? nil : (.content, "its figures cannot be")
            })
        self.sums = sums
        return found
    }

    /// - Parameter inspect: returns what is wrong with a row, or nil.
    /// - Returns: nil when there is no fault.
    private mutating func faults<Row: ReadableRow>(
        _ name: String, _ columns: [Column<Row>], _ run: RowStamp,
        _ entries: [Manifest.Entry], precedes: (Row, Row) -> Bool,
        inspect: (Row) -> (RowFault.Cause, String)?
    ) -> TableFaults? {
        let table = TableVerification<Row>(
            name: name, columns: columns, run: run, dialect: csvDialect)
        let (faults, rows) = table.faults(
            in: folder, entries: entries, precedes: precedes, inspect: inspect)
        self.rows += rows
        return faults.isEmpty ? nil : faults
    }
}

extension ReportedFinding {
    static let foreignID = "its finding_id does not match its kind, user and row"

    /// What distinguishes it from others of its kind, user and row; nil where no column says it.
    private var knownReference: String? {
        if FindingKind.ofStoredRows.contains(finding.kind), finding.entitlement != nil { return "" }
        return finding.kind.file == .receipts ? finding.receipt?.text : nil
    }

    /// Whether its id is certainly another finding's.
    var hasForeignID: Bool {
        guard let knownReference else { return false }
        var own = finding
        own.reference = knownReference
        return own.identity.id != id
    }

    /// What is impossible for a row of `file`; nil when nothing is.
    func contradiction(in file: FindingFile) -> String? {
        let kind = finding.kind
        if kind.file != file { return "\(kind.rawValue) does not belong here" }
        let weight = FindingKind.Weight(
            severity: finding.severity, direction: finding.direction)
        if weight != kind.weight, weight != kind.lesserWeight {
            return "a \(kind.rawValue) is not \(finding.severity.rawValue)"
        }
        return hasForeignID ? Self.foreignID : nil
    }
}

extension UnitLine {
    fileprivate func comesBefore(_ other: UnitLine) -> Bool {
        guard day == other.day else { return day < other.day }
        return [bundle.text, product.text].bytesPrecede([other.bundle.text, other.product.text])
    }
}

extension UnitCounts {
    fileprivate var isPossible: Bool {
        let all = [sold, trials, refunded, upgraded]
        return all.allSatisfy { $0 >= 0 } && all != [0, 0, 0, 0] && trials <= sold
    }
}

extension UnverifiedReceipt {
    fileprivate func isBefore(_ other: UnverifiedReceipt) -> Bool {
        [user?.text ?? "", receipt?.text ?? ""].bytesPrecede(
            [other.user?.text ?? "", other.receipt?.text ?? ""])
    }
}

extension NotReportedRow {
    fileprivate func isBefore(_ other: NotReportedRow) -> Bool {
        [user?.text ?? "", notReported.entitlement?.text ?? ""].bytesPrecede(
            [other.user?.text ?? "", other.notReported.entitlement?.text ?? ""])
    }
}

extension [String] {
    fileprivate func bytesPrecede(_ others: [String]) -> Bool {
        for (own, other) in zip(self, others) where !own.hasSameBytes(as: other) {
            return own.bytesPrecede(other)
        }
        return false
    }
}
