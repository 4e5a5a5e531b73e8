/// Rows of a user that are stored for one app and name one app, about whose customers Apple is
/// asked. One customer may stand in several rows, and a row may name several customers.
struct CustomerRows: Sendable {
    /// The app that is asked about, and the one that the rows are stored for.
    let bundle: BundleID
    let storedBundle: BundleID

    private struct Row: Sendable {
        let index: Int
        let receipt: ReceiptID
        let ids: [TransactionID]
        /// Of a receipt that Apple signed.
        let signed: ReceiptPayload?
    }

    private var rows: [Row] = []
    /// Of all rows, the greatest first.
    private var ids: [TransactionID] = []
    /// The question about an id, or whose answer shows it.
    private var questions: [TransactionID: Int] = [:]

    init(of bundle: BundleID, storedFor storedBundle: BundleID) {
        self.bundle = bundle
        self.storedBundle = storedBundle
    }

    /// - Parameters:
    ///   - ids: of transactions that the row names; not none.
    ///   - signed: what the row shows, where it is a receipt that Apple signed.
    mutating func add(
        _ row: Int, of receipt: ReceiptID, naming ids: [TransactionID], signed: ReceiptPayload?
    ) {
        let ids = Set(ids).sorted { $1.isNumericallyLess(than: $0) }
        rows.append(Row(index: row, receipt: receipt, ids: ids, signed: signed))
        self.ids = Set(self.ids).union(ids).sorted { $1.isNumericallyLess(than: $0) }
    }

    /// Of the rows.
    var indices: [Int] { rows.map(\.index) }

    func holds(_ receipt: ReceiptID) -> Bool { rows.contains { $0.receipt == receipt } }

    /// The questions that were asked or that are open.
    var asked: Set<Int> { Set(questions.values) }

    func isAsked(by question: Int) -> Bool { questions.values.contains(question) }

    /// The next id to ask about, and of the rows that name it the one with the smallest receipt id;
    /// nil when every id is asked about, or shown.
    var next: (id: TransactionID, row: Int)? {
        guard let id = ids.first(where: { questions[$0] == nil }) else { return nil }
        let first = rows.filter { $0.ids.contains(id) }.min { $0.receipt < $1.receipt }
        return first.map { (id, $0.index) }
    }

    mutating func ask(about id: TransactionID, by question: Int) { questions[id] = question }

    /// - Parameter history: the answer to a question. The ids that it shows need none.
    mutating func take(_ history: Receipt, answering question: Int) {
        let open = Set(ids.filter { questions[$0] == nil })
        guard !open.isEmpty else { return }
        for id in history.shownIDs where open.contains(id) { questions[id] = question }
    }

    /// For each row the questions about its ids, in the order of the ids.
    var answers: [(row: Int, questions: [Int])] {
        rows.map { row in
            var seen: Set<Int> = []
            let own = row.ids.compactMap { questions[$0] }.filter { seen.insert($0).inserted }
            return (row.index, own)
        }
    }

    /// What the rows that are signed receipts show beside the answers about their customers, by
    /// row. None of a row whose ids are not all answered.
    /// - Parameter history: the answer to a question; nil without one.
    func proofs(against history: (Int) -> Receipt?) -> [Int: RowProof] {
        var proofs: [Int: RowProof] = [:]
        for (row, questions) in zip(rows, answers.map(\.questions)) {
            let histories = questions.compactMap(history)
            guard let signed = row.signed, histories.count == questions.count,
                let answer = Receipt(together: histories)
            else { continue }
            proofs[row.index] = RowProof(of: signed, storedFor: storedBundle, against: answer)
        }
        return proofs
    }
}

/// What a stored receipt that Apple signed shows beside the answers about its customers.
struct RowProof: Sendable {
    var facts: SignedFacts
    /// Of all its customers.
    let answer: Receipt

    /// - Parameter bundle: the app that the receipt is stored for.
    init(of signed: ReceiptPayload, storedFor bundle: BundleID, against answer: Receipt) {
        self.answer = answer
        let (contradictions, unanswered) = signed.comparison(with: answer)
        // What a receipt of the sandbox or of another app shows says nothing about this one.
        let counts = signed.storeEnvironment == .production && signed.bundle == bundle.text
        facts = SignedFacts(
            contradictions: contradictions, unanswered: counts ? unanswered : [])
    }
}

extension Receipt {
    /// What answers about several customers of an app show; nil for none.
    fileprivate init?(together answers: [Receipt]) {
        guard var all = answers.first else { return nil }
        for other in answers.dropFirst() {
            all.transactions += other.transactions
            all.anomalies += other.anomalies
        }
        self = all
    }
}
