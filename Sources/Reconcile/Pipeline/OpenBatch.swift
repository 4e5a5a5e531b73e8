internal import Synchronization

/// A batch between reading and recording: its receipts, some of which wait for Apple's answer.
///
/// The stored texts are not kept: each goes with the question that needs it.
final class OpenBatch: Sendable {
    /// A stored receipt without its data.
    struct Entry: Sendable {
        let id: ReceiptID
        let user: UserID
        let bundle: BundleID
        let storedAt: Instant
        fileprivate let source: Source
    }

    fileprivate enum Source: Sendable {
        case known(ValidationReport)
        /// The place of the question whose answer this receipt shares.
        case asked(Int)
    }

    let batch: Batch
    let entries: [Entry]
    let invalid: [InvalidStoredReceipt]
    let snapshot: ReceiptSnapshot
    /// By the places of the questions, the place of the first entry that asks each.
    private let askers: [Int]
    private let reports: Mutex<Reports>

    private struct Reports {
        var byQuestion: [ValidationReport?]
        var missing: Int
        /// The places of questions whose receipts Apple refused, should it not be believed.
        var refused: Set<Int> = []
    }

    /// - Returns: the batch, and what to ask Apple: identical receipts are asked about once.
    static func open(
        _ batch: Batch, _ receipts: BatchReceipts, with validator: AppStoreValidator
    ) -> (OpenBatch, [ReceiptQuestion]) {
        var questions: [ReceiptQuestion] = []
        var places = [ReceiptQuestion: Int](minimumCapacity: receipts.valid.count)
        var askers: [Int] = []
        let entries = receipts.valid.enumerated().map { index, stored in
            let source: Source
            switch validator.course(of: stored.data, storedFor: stored.bundle) {
            case .known(let report): source = .known(report)
            case .ask(let question):
                let place = places[question] ?? questions.count
                if place == questions.count {
                    places[question] = place
                    questions.append(question)
                    askers.append(index)
                }
                source = .asked(place)
            }
            return Entry(
                id: stored.id, user: stored.user, bundle: stored.bundle,
                storedAt: stored.storedAt, source: source)
        }
        let open = OpenBatch(
            batch: batch, entries: entries, receipts: receipts, askers: askers)
        return (open, questions)
    }

    private init(
        batch: Batch, entries: [Entry], receipts: BatchReceipts, askers: [Int]
    ) {
        (self.batch, self.entries, self.askers) = (batch, entries, askers)
        (invalid, snapshot) = (receipts.invalid, receipts.snapshot)
        reports = Mutex(
            Reports(
                byQuestion: Array(repeating: nil, count: askers.count), missing: askers.count))
    }

    /// Distinct receipts that Apple is asked about.
    var questionCount: Int { askers.count }

    /// A batch of which nothing is read but names: every receipt of it is unverified.
    static func setAside(_ batch: Batch, _ receipts: BatchReceipts) -> OpenBatch {
        let entries = receipts.valid.map { stored in
            Entry(
                id: stored.id, user: stored.user, bundle: stored.bundle,
                storedAt: stored.storedAt,
                source: .known(ValidationReport(.unverified(.batchSetAside))))
        }
        return OpenBatch(
            batch: batch, entries: entries, receipts: receipts, askers: [])
    }

    /// The first receipt that asks the question at `place`.
    func asker(at place: Int) -> ReceiptID { entries[askers[place]].id }

    /// Notes the answer to the question at `place`. True for the last one of the batch.
    func note(_ report: ValidationReport, at place: Int) -> Bool {
        reports.withLock { reports in
            if reports.byQuestion[place] == nil { reports.missing -= 1 }
            reports.byQuestion[place] = report
            if report.isRefusal { reports.refused.insert(place) }
            return reports.missing == 0
        }
    }

    /// The digests of questions whose receipts Apple refused, which was not believed in the end.
    var doubted: [[UInt8]] {
        let (refused, reports) = reports.withLock { ($0.refused, $0.byQuestion) }
        return refused.sorted().compactMap { place in
            reports[place].flatMap { $0.isRefusal ? nil : $0.question }
        }
    }

    /// What Apple refused, and at which place.
    var refusals: [(place: Int, report: ValidationReport)] {
        reports.withLock { $0.byQuestion }.enumerated().compactMap { place, report in
            guard let report, case .rejected = report.validation else { return nil }
            return (place, report)
        }
    }

    /// What was learned of each entry, in their order, and the calls that it took.
    func conclusions() -> (reports: [ValidationReport], requests: RequestTally) {
        let answers = reports.withLock { $0.byQuestion }
        var requests = RequestTally()
        for answer in answers { requests += answer?.requests ?? RequestTally() }
        let perEntry = entries.map { entry in
            switch entry.source {
            case .known(let report): report
            case .asked(let place): answers[place] ?? ValidationReport()
            }
        }
        return (perEntry, requests)
    }
}
