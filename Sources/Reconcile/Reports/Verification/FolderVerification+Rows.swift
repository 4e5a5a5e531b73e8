extension FolderVerification {
    mutating func checkTables(_ run: ReportingRun, _ entries: [Manifest.Entry]) {
        var sums = sums
        let findings = ReportedFinding.columns
        for file in FindingFile.allCases {
            let inspect = { (row: ReportedFinding) -> String? in
                do throws(MoneyTally.Unsummable) {
                    try sums.add(row)
                } catch {
                    return error.what
                }
                return row.contradiction(in: file)
            }
            check(
                file.rawValue, findings, run, entries, precedes: { $0.comesBefore($1) },
                inspect: inspect)
        }
        check(
            "cleared", findings, run, entries, precedes: { $0.comesBefore($1) },
            inspect: { row in
                sums.addCleared(row)
                return row.hasItsID ? nil : ReportedFinding.foreignID
            })
        check(
            "unverified", UnverifiedReceipt.columns, run, entries, precedes: { $0.isBefore($1) },
            inspect: { row in
                sums.add(row)
                return nil
            })
        check(
            "not_reported", NotReportedRow.columns, run, entries, precedes: { $0.isBefore($1) },
            inspect: { row in
                sums.add(row)
                return nil
            })
        check(
            "totals", FindingTotal.columns, run, entries, precedes: { $0.comesBefore($1) },
            inspect: { row in
                do throws(MoneyTally.Unsummable) {
                    return try sums.settle(row)
                } catch {
                    return error.what
                }
            })
        self.sums = sums
    }

    /// - Parameter inspect: returns what is wrong with a row, or nil.
    private mutating func check<Row: ReadableRow>(
        _ name: String, _ columns: [Column<Row>], _ run: ReportingRun,
        _ entries: [Manifest.Entry], precedes: (Row, Row) -> Bool,
        inspect: (Row) -> String?
    ) {
        var wrong: [String] = []
        var last: Row?
        let table = TableVerification<Row>(
            name: name, columns: columns, run: run, dialect: csvDialect)
        let counts = table.rows(
            in: path,
            note: { row, number in
                if let last, precedes(row, last) {
                    wrong.append("\(name).csv, row \(number): belongs before the previous row.")
                }
                last = row
                if let what = inspect(row) { wrong.append("\(name).csv, row \(number): \(what).") }
            }, fail: { wrong.append($0) })
        for sentence in wrong { fail(sentence) }
        guard let counts else { return fail("\(name): its files cannot be read.") }
        let count = counts.reduce(0, +)
        rows += count
        var expected = [name + ".json": count]
        for (part, count) in counts.enumerated() {
            expected[CSV.name(of: name, part: part + 1)] = count
        }
        for entry in entries {
            guard let count = expected[entry.name], entry.rows != count else { continue }
            let listed = entry.rows.map(String.init) ?? "no"
            fail("manifest.json: \(entry.name) has \(listed) rows, but the file has \(count).")
        }
    }
}

extension ReportedFinding {
    static let foreignID = "its finding_id does not match its kind, user, row and reference"

    var hasItsID: Bool { finding.identity.id == id }

    /// What is impossible for a row of `file`; nil when nothing is.
    func contradiction(in file: FindingFile) -> String? {
        let kind = finding.kind
        if kind.file != file { return "\(kind.rawValue) does not belong here" }
        let weight = FindingKind.Weight(
            severity: finding.severity, direction: finding.direction)
        if weight != kind.weight, weight != kind.lesserWeight {
            return "a \(kind.rawValue) is not \(finding.severity.rawValue)"
        }
        return hasItsID ? nil : Self.foreignID
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
