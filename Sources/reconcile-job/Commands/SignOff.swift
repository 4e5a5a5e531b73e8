internal import Reconcile

/// `reconcile-job sign-off`: records who answers for the bytes of a published folder.
struct SignOffCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// A folder whose bytes verify.
    private struct Checked {
        let reports: ReportsDirectory
        /// On disk.
        let name: String
        let path: String
        let folder: SignedFolder
        let manifestSHA256: String
    }

    func run() async throws -> Ending {
        try await configuration.withDatabase(connections: 2) { database in
            let checked = try await checked(in: database)
            let signing = try await database.signOffs.sign(
                SignOff(
                    checked.folder, manifestSHA256: checked.manifestSHA256,
                    as: configuration.signing.role ?? .preparer, by: configuration.acceptance.by,
                    note: configuration.signing.note, at: .now))
            try write(signing, beside: checked)
            let what = "\(checked.path), manifest.json \(checked.manifestSHA256)"
            guard signing.isNew else {
                return Ending(
                    .complete,
                    "Nothing is added: these bytes were signed by \(signing.signature.sentence)."
                        + " \(SignOffFile.fileName) is in the folder: \(what).")
            }
            return Ending(
                .complete,
                "Signed by \(signing.signature.sentence). \(SignOffFile.fileName) is in the folder:"
                    + " \(what).")
        }
    }

    private func write(_ signing: SignOffStore.Signing, beside checked: Checked) throws {
        do {
            try SignOffFile(signing.all)?.publish(in: checked.reports, folder: checked.name)
        } catch {
            let ending = Ending(error)
            throw Ending(
                ending.exit,
                "The database has the signature, but \(SignOffFile.fileName) is not written:"
                    + " \(ending.message) Then sign again, which writes it and adds no line.")
        }
    }

    // MARK: The folder

    private func checked(in database: Database) async throws -> Checked {
        let path = try await path(in: database)
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let name = String(parts.last ?? "")
        let reports = try ReportsDirectory(path: "/" + parts.dropLast().joined(separator: "/"))
        if let range = RangeVerification(path) {
            try require(range.failures, range.moreFailures, of: path)
            guard range.isNamed(name), let kind = SignedFolder.Kind(rawValue: range.kind.rawValue)
            else {
                throw Ending(
                    .usage,
                    "\(path) is not signed: it is a \(range.kind.rawValue) of other days than its"
                        + " name says. Give the folder as it was written.")
            }
            return Checked(
                reports: reports, name: name, path: path, folder: SignedFolder(kind, named: name),
                manifestSHA256: range.manifestSHA256)
        }
        let verification = FolderVerification(path)
        try require(verification.failures, verification.moreFailures, of: path)
        let run = verification.run?.text ?? ""
        let known = try await database.knownRuns.run(named: .beginning(run))
        if let remark = known.remark {
            throw Ending(
                .usage, "\(path) is not signed: run \(run) is \(remark), and does not count.")
        }
        let differences = try await differences(from: known, verification, in: database)
        try require(differences, 0, of: path)
        return Checked(
            reports: reports, name: name, path: path, folder: SignedFolder(.run, named: run),
            manifestSHA256: verification.manifestSHA256)
    }

    /// Of the folder that is given, or of the run that is named.
    private func path(in database: Database) async throws -> String {
        let operand = configuration.folder
        if let folder = InputFile.folder(operand) { return folder }
        guard !operand.contains("/") else {
            throw Ending(
                .inputOutput,
                "Cannot read the folder \(operand). Give the folder of a run, a"
                    + " period or a tie-out.")
        }
        let known = try await database.knownRuns.run(named: RunListing.Name(operand))
        let path = configuration.reports + "/" + known.run.folderName
        guard let folder = InputFile.folder(path) else {
            throw Ending(
                .cannotCreateReports,
                "The folder of run \(known.run.id) is not in \(configuration.reports). Give the"
                    + " right --reports, or write it again with reconcile-job report.")
        }
        return folder
    }

    private func differences(
        from known: RunListing, _ verification: FolderVerification, in database: Database
    ) async throws -> [String] {
        var left: Erasure?
        if let stated = verification.erasure {
            left = try await database.pruning.erasure(of: known.run.id, first: stated.users)
        }
        return verification.differences(from: known, left: left)
    }

    private func require(_ failures: [String], _ more: Int, of path: String) throws {
        guard !failures.isEmpty else { return }
        try StandardStream.print(failures.map { $0.escapingControls() + "\n" }.joined())
        let count = failures.count + more
        throw Ending(
            .findings,
            "\(path) is not signed: it is not as it was published, or does not tie out:"
                + " \(count == 1 ? "1 failure" : "\(count) failures").")
    }
}
