/// What Apple answered about a customer so far: the signed strings, and what they say.
///
/// The strings are the evidence: transactions in the order of the pages, renewal infos, the app
/// transaction.
struct CustomerAnswer: Sendable {
    private(set) var evidence = SignedLines()
    private(set) var pages = 0
    private var history = SignedHistory()

    /// Whether the customer has subscriptions, whose state is to be asked for.
    var hasSubscription: Bool { history.hasSubscription }

    mutating func add(page: [JWS]) {
        pages += 1
        for jws in page { add(jws, as: .transaction) }
    }

    mutating func add(_ jws: JWS, as kind: SignedKind, status: Int? = nil) {
        evidence.append(jws.text)
        history.add(jws.payload, as: kind, status: status)
    }

    /// In the form of an answer of verifyReceipt, by which it is judged.
    func history(of bundle: BundleID, in environment: StoreEnvironment) -> Receipt {
        history.receipt(of: bundle, in: environment)
    }

    /// Reads kept evidence again, whose signatures were checked when it came. Nil when it is not of
    /// this form, or names no app.
    static func history(in body: AnswerBody) -> Receipt? {
        var history = SignedHistory()
        var bundle: BundleID?
        for line in body.bytes.split(separator: UInt8(ascii: "\n")) {
            guard let jws = JWS(line) else { return nil }
            bundle = bundle ?? jws.payload.bundle
            history.add(jws.payload, as: jws.payload.kind)
        }
        return bundle.map { history.receipt(of: $0, in: body.server.environment) }
    }
}
