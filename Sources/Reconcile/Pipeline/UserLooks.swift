/// What one look brought of each receipt of a user.
struct UserLooks: Sendable {
    /// A request, and the first receipt that needs it.
    struct Requested: Sendable {
        let request: ReceiptRequest
        let receipt: ReceiptID
    }

    private enum Source {
        case resolved(ValidationReport)
        /// The place among `requested`.
        case requested(Int)
    }

    private let receipts: [ReceiptID]
    private var sources: [Source] = []
    private var places: [ReceiptRequest: Int] = [:]
    /// Identical receipts share a request.
    private(set) var requested: [Requested] = []
    /// By the places of `requested`.
    var answers: [Look] = []

    init(_ receipts: [StoredReceipt]) {
        self.receipts = receipts.map(\.id)
        sources.reserveCapacity(receipts.count)
    }

    /// Receipts come in their order, each with one of these two.
    mutating func resolve(_ place: Int, with report: ValidationReport) {
        sources.append(.resolved(report))
    }

    mutating func request(_ request: ReceiptRequest, for place: Int) {
        if let same = receipts.count > 1 ? places[request] : nil {
            sources.append(.requested(same))
            return
        }
        if receipts.count > 1 { places[request] = requested.count }
        sources.append(.requested(requested.count))
        requested.append(Requested(request: request, receipt: receipts[place]))
    }

    /// All calls.
    var requests: RequestRecord {
        var requests = RequestRecord()
        for answer in answers { requests += answer.requests }
        return requests
    }

    /// The receipts that were refused, of identical ones the first, and by which server.
    var refusals: [ReceiptID: StoreEnvironment] {
        var refusals: [ReceiptID: StoreEnvironment] = [:]
        for (asked, answer) in zip(requested, answers) {
            if case .refused(let refusal) = answer { refusals[asked.receipt] = refusal.server }
        }
        return refusals
    }

    /// What each receipt came to.
    /// - Parameter resolve: what becomes of a receipt that Apple refuses.
    func concluded(by resolve: (Refusal, ReceiptRequest) -> ValidationReport) -> UserAnswers {
        let reports = zip(requested, answers).map { asked, answer in
            switch answer {
            case .concluded(let report): report
            case .refused(let refusal): resolve(refusal, asked.request)
            }
        }
        return UserAnswers(
            perReceipt: sources.map { source in
                switch source {
                case .resolved(let report): report
                case .requested(let place): reports[place]
                }
            },
            places: sources.map { source in
                if case .requested(let place) = source { place } else { nil }
            },
            requested: zip(requested, reports).map { ($0, $1) }, requests: requests)
    }
}

/// What every receipt of a user came to.
struct UserAnswers: Sendable {
    /// In the order of the receipts.
    var perReceipt: [ValidationReport]
    /// By receipt, the place among `requested`; nil for one that was not sent.
    let places: [Int?]
    /// Each request once.
    let requested: [(asked: UserLooks.Requested, report: ValidationReport)]
    /// All calls of this look.
    let requests: RequestRecord
}
