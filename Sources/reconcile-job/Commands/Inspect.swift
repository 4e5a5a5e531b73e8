internal import Reconcile

/// `reconcile-job inspect`: a receipt on its own, offline: from a file, or the stored one of an id.
/// Nothing is written but to stdout.
struct InspectCommand: Sendable {
    private let settings: InspectionSettings
    private let output: SummaryOutput
    private let roots: String?
    private let asOf: Instant
    private let configuration: Configuration

    init(_ configuration: Configuration) {
        (settings, output) = (configuration.inspection, configuration.output)
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
            // The service's own word of whose it is, unless another is asked about.
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

    /// A dozen times the largest receipt that was reported.
    private static let mostBytes = 64 << 20

    private func stored() async throws -> StoredReceipt {
        guard let id = configuration.receipts.first, configuration.receipts.count == 1 else {
            throw Ending(.usage, "inspect is about one receipt: give --receipt once.")
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
        if let code = StandardStream.output.write(bytes) {
            throw Ending(
                .inputOutput,
                "Cannot write to stdout: \(InputFile.words(of: code)). Check where it leads.")
        }
    }

    private static func ending(_ inspection: Inspection) -> Ending {
        guard let failed = inspection.failedStep else {
            return inspection.isGenuine
                ? Ending(
                    .complete,
                    "The receipt is genuine. What happened since, only Apple can tell: run.")
                : Ending(
                    .findings,
                    "The receipt could not be shown to be genuine, nor to be forged. Name the"
                        + " missing certificates with --roots.")
        }
        let remedy =
            switch failed.name {
            case .located, .signature: "Ask the app to send its receipt again."
            case .bundle, .version, .device: "Compare it with what was expected."
            }
        return Ending(
            .findings, "The receipt is not genuine, by step \(failed.name.rawValue). \(remedy)")
    }
}
