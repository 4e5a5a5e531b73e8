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

    /// - Parameter ids: of transactions that the row names; not none.
    mutating func add(_ row: Int, of receipt: ReceiptID, naming ids: [TransactionID]) {
        let ids = Set(ids).sorted { $1.isNumericallyLess(than: $0) }
        rows.append(Row(index: row, receipt: receipt, ids: ids))
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
}
