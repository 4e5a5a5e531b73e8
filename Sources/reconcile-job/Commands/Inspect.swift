internal import Reconcile

/// `reconcile-job inspect`: judges one receipt offline, from a file or from the database.
struct InspectCommand: Sendable {
    private let settings: InspectionSettings
    private let output: SummaryOutput
    private let roots: String?
    private let asOf: Instant
    private let configuration: Configuration

    init(_ configuration: Configuration) {
        settings = configuration.inspection
        output = configuration.output
        roots = configuration.roots
        asOf = configuration.asOf ?? .now
        self.configuration = configuration
    }

    func run() async throws -> Ending {
        var question = InspectionQuestion()
        question.bundle = settings.bundle
        question.appVersion = settings.appVersion
        question.deviceIdentifier = settings.deviceIdentifier
        if let roots { question.roots = try RootsFolder.read(roots) }
        let file: [UInt8]
        if configuration.receipts.isEmpty {
            file = try InputFile.read(
                settings.file, limit: Self.mostBytes, describedAs: "receipt")
        } else {
            let stored = try await stored()
            file = stored.data.text
            // Unless --bundle overrides it, the stored bundle id is expected.
            question.bundle = question.bundle ?? stored.bundle
        }
        let inspection: Inspection
        do throws(NotAReceipt) {
            inspection = try Inspection(file, question)
        } catch {
            throw Ending(.unreadableData, error.description)
        }
        try write(inspection)
        return Self.ending(inspection)
    }

    /// A dozen times the largest receipt that was ever reported.
    private static let mostBytes = 64 << 20

    private func stored() async throws -> StoredReceipt {
        guard let id = configuration.receipts.first, configuration.receipts.count == 1 else {
            throw Ending(.usage, "inspect judges one receipt: give --receipt once.")
        }
        return try await Database.lend(
            configuration.database?.text ?? "", connections: 1
        ) { database in try await database.storedReceipts.receipt(id) }
    }

    private func write(_ inspection: Inspection) throws(Ending) {
        let bytes: [UInt8]
        switch output {
        case .text: bytes = Array(InspectionText(inspection, at: asOf).text.utf8)
        case .json: bytes = InspectionJSON(inspection, at: asOf).bytes
        case .none: return
        }
        try StandardStream.print(bytes)
    }

    private static func ending(_ inspection: Inspection) -> Ending {
        guard let failed = inspection.failedStep else {
            return inspection.isGenuine
                ? Ending(
                    .complete,
                    "The receipt is genuine. Only Apple knows what changed since: see `run`.")
                : Ending(
                    .findings,
                    "Inconclusive: the receipt was not shown to be genuine or forged. Give the"
                        + " missing certificates with --roots.")
        }
        let remedy =
            switch failed.name {
            case .located, .signature: "Ask the app to send its receipt again."
            case .bundle, .version, .device: "Check the value that you expect."
            }
        return Ending(
            .findings, "The receipt is not genuine: step \(failed.name.rawValue) failed. \(remedy)")
    }
}
