internal import Reconcile

/// `reconcile-job verify`: checks a published folder by its files, and with a database against it.
struct VerifyCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        guard let folder = InputFile.folder(configuration.folder) else {
            throw Ending(
                .inputOutput,
                "Cannot read the folder \(configuration.folder). Give the folder of a run, for"
                    + " example reports/latest.")
        }
        if let range = RangeVerification(folder) { return try await ending(range, folder) }
        let verification = FolderVerification(folder)
        let isCompared = configuration.given.contains("database")
        let said =
            verification.remarks + verification.signatures.remarks
            + [isCompared ? nil : verification.signatures.reservation].compactMap(\.self)
        let remarks = said.map { " " + $0 }.joined()
        var failures = verification.failures + [verification.signatures.failure].compactMap(\.self)
        var compared = ""
        if let run = verification.run, isCompared {
            do {
                let database = try await databaseSide(of: run, verification)
                failures += database.differences
                compared = database.sentence
            } catch let error as DatabaseError {
                guard case .unknown(let what) = error.reason, !remarks.isEmpty else { throw error }
                throw Ending(.inputOutput, what + remarks)
            }
        }
        try StandardStream.print(
            failures.map { $0.escapingControls() + "\n" }.joined())
        guard failures.isEmpty else {
            return failure(
                folder, failures.count + verification.moreFailures, verification.unreadableFiles,
                compared + remarks)
        }
        return Ending(
            .complete,
            "\(folder) is complete and ties out: run \(verification.run?.text ?? ""),"
                + " \(verification.files) files, \(verification.rows.grouped) rows.\(compared)"
                + remarks)
    }

    private func failure(
        _ folder: String, _ count: Int, _ unreadable: Int, _ remarks: String
    ) -> Ending {
        guard count > unreadable else {
            return Ending(
                .findings,
                "\(folder) could not be verified: \(count == 1 ? "1 file" : "\(count) files")"
                    + " cannot be read. Check the disk and the permissions, then verify again.")
        }
        return Ending(
            .findings,
            "\(folder) is not as it was published, or does not tie out:"
                + " \(count == 1 ? "1 failure" : "\(count.grouped) failures").\(remarks)")
    }

    /// Of a folder about days, of no run.
    private func ending(_ range: RangeVerification, _ folder: String) async throws -> Ending {
        let recorded = try await recorded(range, folder)
        let signatures = range.signatures
        let failures =
            range.failures
            + [signatures.failure, recorded.flatMap(signatures.difference)].compactMap(\.self)
        try StandardStream.print(failures.map { $0.escapingControls() + "\n" }.joined())
        let compared =
            configuration.given.contains("database")
            ? " Its rows were not compared with the database: reconcile-job"
                + " \(range.kind.rawValue) writes the same bytes again." : ""
        let said =
            signatures.remarks
            + [recorded.map(signatures.missing) ?? signatures.reservation].compactMap(\.self)
        let remarks = compared + said.map { " " + $0 }.joined()
        let count = failures.count + range.moreFailures
        guard count == 0 else { return failure(folder, count, range.unreadableFiles, remarks) }
        return Ending(
            .complete,
            "\(folder) is complete and ties out: \(range.kind.rawValue), \(range.files) files,"
                + " \(range.rows.grouped) rows.\(remarks)")
    }

    /// The signatures in the database; nil without one.
    private func recorded(_ range: RangeVerification, _ folder: String) async throws -> [SignOff]? {
        guard configuration.given.contains("database"),
            let kind = SignedFolder.Kind(rawValue: range.kind.rawValue)
        else { return nil }
        // A copy may have another name.
        let name = range.signatures.name ?? folder.split(separator: "/").last.map(String.init) ?? ""
        return try await configuration.withDatabase { database in
            try await database.signOffs.signatures(of: SignedFolder(kind, named: name))
        }
    }

    private func databaseSide(
        of id: RunID, _ verification: FolderVerification
    ) async throws -> DatabaseSide {
        try await configuration.withDatabase(connections: 2) { database in
            let known = try await database.knownRuns.run(named: .beginning(id.text))
            let all = try await database.pruning.erasure(of: id)
            var left: Erasure?
            if let stated = verification.erasure {
                left = try await database.pruning.erasure(of: id, first: stated.users)
            }
            var side = DatabaseSide(since: all.since(left))
            side.remark = verification.contradiction(by: known)
            side.differences += verification.differences(from: known, left: left)
            let signed = try await database.signOffs.signatures(
                of: SignedFolder(.run, named: id.text))
            side.differences += [verification.signatures.difference(from: signed)]
                .compactMap(\.self)
            side.unsaid = verification.signatures.missing(of: signed)
            guard !known.isPruned else {
                side.isPruned = true
                return side
            }
            try await side.compare(verification, known.run, database.reports)
            return side
        }
    }
}

/// What the comparison with the database came to.
private struct DatabaseSide: Sendable {
    /// What was erased since the folder was written.
    private let erased: Erasure
    var differences: [String] = []
    var isPruned = false
    /// How the database names the run, where the folder does not.
    var remark: String?
    /// Signatures that the folder lacks.
    var unsaid: String?
    private var rows = 0

    init(since erased: Erasure) { self.erased = erased }

    var sentence: String {
        let what =
            isPruned
            ? " The database keeps no rows of the run any more (prune), so none were compared."
            : " \(rows.grouped) rows were compared with the database."
        let others = erased.isEmpty ? "" : " The folder also has \(erased.sentence)."
        return what + others + (remark.map { " By the database the run is \($0)." } ?? "")
            + (unsaid.map { " " + $0 } ?? "")
    }

    mutating func compare(
        _ verification: FolderVerification, _ run: Run, _ reports: ReportReader
    ) async throws {
        let folder = verification.folder
        func isMeant(_ table: String) -> Bool { !verification.isDamaged(table) }
        var money = MoneyTally()
        for name in FindingFile.allCases.map(\.rawValue) where isMeant(name) {
            guard let file = FindingFile(rawValue: name) else { continue }
            let rows = try await add(
                FolderComparison(name, in: folder, of: run, erased: erased),
                reports.findings(of: run.id, in: file))
            for row in rows { try money.add(row) }
        }
        if isMeant("cleared") {
            _ = try await add(
                FolderComparison("cleared", in: folder, of: run, erased: erased),
                reports.cleared(of: run.id)
            ) { run.shown(cleared: $0) }
        }
        if isMeant("unverified") {
            _ = try await add(
                FolderComparison(in: folder, of: run, erased: erased),
                reports.unverified(of: run.id))
        }
        if isMeant("not_reported") {
            _ = try await add(
                FolderComparison(in: folder, of: run, erased: erased),
                reports.notReported(of: run.id))
        }
        if run.units != nil, isMeant("units") {
            _ = try await add(FolderComparison(in: folder, of: run), reports.units(of: run.id))
        }
        if differences.isEmpty, !money.isSame(as: erased.money) {
            differences.append(
                "The rows of erased users come to \(money), but the database recorded"
                    + " \(erased.money).")
        }
    }

    /// - Parameter change: made to each row of the database before it is compared.
    /// - Returns: the rows of erased users.
    private mutating func add<Row: ReadableRow>(
        _ comparison: FolderComparison<Row>, _ rows: DatabaseRows<Row>,
        change: (Row) -> Row = { $0 }
    ) async throws -> [Row] {
        var comparison = comparison
        for try await page in rows { comparison.compare(page.map(change)) }
        comparison.end()
        self.rows += comparison.rows
        if let difference = comparison.difference { differences.append(difference) }
        return comparison.erased
    }
}
