import Testing

@testable import Reconcile
@testable import TestSupport

/// A sentence with the user whose finding has it. To add one, copy one in `OddSentences`, and
/// change its kind, label, receipts, rows and sentence; a new kind's goes to `RowSentences`.
struct Explained: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: FindingKind
    let sentence: String
    /// Nil: that of `KindCase`, two days after its cause.
    private let user: Scene?
    private let isOffline: Bool

    init(_ kind: FindingKind, _ sentence: String) {
        testDescription = kind.rawValue
        self.kind = kind
        self.sentence = sentence
        user = nil
        isOffline = false
    }

    init(
        _ kind: FindingKind, _ label: String, isOffline: Bool = false,
        receipts: [ShownReceipt] = [], rows: [Row] = [], _ sentence: String
    ) {
        testDescription = "\(kind.rawValue): \(label)"
        self.kind = kind
        self.sentence = sentence
        user = Scene(label, receipts: receipts, rows: rows)
        self.isOffline = isOffline
    }

    var judgement: Judgement? {
        if let user { return user.judgement(by: isOffline ? .offline : Self.judge) }
        let line = (KindCase.onRows + KindCase.facts).first { $0.kind == kind }
        return line?.world(-2).judgement()
    }

    /// Here `acme` became free on a day.
    private static let judge: Judge = {
        let acme = CatalogApp(
            bundle: "acme", lastPaidVersion: "4.10", paidUntil: .day(-100), premiumProduct: "full")
        return Judge(Catalog(products: Array(Catalog.acme.products.values), apps: [acme]))
    }()
}

/// An instant as a sentence prints it.
func day(_ number: Double) -> String { Instant.day(number).description }

@Suite("An explanation")
struct ExplanationTests {
    @Test(
        "Each kind of the first table and each odd world has a sentence with its facts and rule",
        arguments: Explained.ofKinds + Explained.ofOddUsers)
    func sentence(example: Explained) {
        let finding = example.judgement?.findings.first { $0.kind == example.kind }
        #expect(finding?.explanation == example.sentence)
    }

    @Test("Each kind of the first table has its sentence")
    func complete() {
        let kinds = KindCase.onRows.map(\.kind) + [.refundReversed]
        #expect(Explained.ofKinds.map(\.kind.rawValue) == kinds.map(\.rawValue))
    }
}
