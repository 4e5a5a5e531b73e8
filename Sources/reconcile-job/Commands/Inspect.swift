internal import Reconcile

/// `reconcile-job inspect`: judges one receipt or JWS offline, from a file or from the
/// database.
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
            question.storedBundle = stored.bundle
        }
        let inspection: InspectedFile
        do throws(NotAReceipt) {
            inspection = try InspectedFile(file, question, now: asOf)
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

    private func write(_ file: InspectedFile) throws(Ending) {
        let bytes: [UInt8]
        switch (output, file) {
        case (.text, .receipt(let inspection)):
            bytes = Array(InspectionText(inspection, at: asOf).text.utf8)
        case (.text, .jws(let inspection)): bytes = Array(JWSText(inspection).text.utf8)
        case (.json, .receipt(let inspection)):
            bytes = InspectionJSON(inspection, at: asOf).bytes
        case (.json, .jws(let inspection)): bytes = JWSJSON(inspection).bytes
        case (.none, _): return
        }
        try StandardStream.print(bytes)
    }

    private static func ending(_ file: InspectedFile) -> Ending {
        let noun =
            switch file {
            case .receipt: "receipt"
            case .jws: "JWS"
            }
        guard let failed = file.failedStep else {
            return file.isGenuine
                ? Ending(
                    .complete,
                    "The \(noun) is genuine. Only Apple knows what changed since: see `run`.")
                : Ending(
                    .findings,
                    "Inconclusive: the \(noun) was not shown to be genuine or forged. Give the"
                        + " missing certificates with --roots.")
        }
        let remedy =
            switch failed.name {
            case .located, .algorithm, .certificates, .leafMarker, .chain, .intermediateMarker,
                .root, .time, .signature, .contents:
                "Ask the app to send its \(noun) again."
            case .bundle, .version, .device: "Check the value that you expect."
            }
        return Ending(
            .findings, "The \(noun) is not genuine: step \(failed.name.rawValue) failed. \(remedy)")
    }
}
