struct UserLooks: Sendable {
    struct Requested: Sendable {
        let request: ReceiptRequest
        let receipt: ReceiptID
    }

    private enum Source {
        case resolved(ValidationReport)
        /// The index in `requested`.
        case requested(Int)
    }

    private let receipts: [ReceiptID]
    private var sources: [Source] = []
    private var places: [ReceiptRequest: Int] = [:]
    /// Identical receipts share a request.
    private(set) var requested: [Requested] = []
    /// In the order of `requested`.
    var answers: [Look] = []
    /// Whether the user is left until all others are recorded, because an app is stopped.
    var isPutOff = false

    init(_ receipts: [StoredReceipt]) {
        self.receipts = receipts.map(\.id)
        sources.reserveCapacity(receipts.count)
    }

    /// Must be called once per receipt in their order, or `request(_:for:)` instead.
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

    var requests: RequestRecord {
        var requests = RequestRecord()
        for answer in answers { requests += answer.requests }
        return requests
    }

    /// The requests as a record of no user; nil without any.
    var requestsOfNoUser: Reference<JudgedUser>? {
        let requests = requests
        guard requests.sent > 0 else { return nil }
        var record = JudgedUser(user: nil)
        record.requests = requests
        return Reference(record)
    }

    var refusals: [ReceiptID: StoreEnvironment] {
        var refusals: [ReceiptID: StoreEnvironment] = [:]
        for (asked, answer) in zip(requested, answers) {
            if case .refused(let refusal) = answer { refusals[asked.receipt] = refusal.server }
        }
        return refusals
    }

    /// The refused requests.
    var refused: [ReceiptRequest] {
        zip(requested, answers).compactMap { asked, answer in
            if case .refused = answer { asked.request } else { nil }
        }
    }

    /// One report per receipt; `resolve` makes that of a refused receipt.
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

struct UserAnswers: Sendable {
    /// In the order of the receipts.
    var perReceipt: [ValidationReport]
    /// For each receipt its index in `requested`; nil for one that was not sent.
    let places: [Int?]
    let requested: [(asked: UserLooks.Requested, report: ValidationReport)]
    let requests: RequestRecord
}
