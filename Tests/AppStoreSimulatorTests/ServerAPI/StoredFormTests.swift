import Testing

@testable import AppStoreSimulator
@testable import Reconcile

@Suite("What the service has stored")
struct StoredFormTests {
    private let store = SimulatedStore.demo()

    private enum Kind: Hashable { case receipt, transaction, appTransaction, id, other }

    private func kind(of data: String) throws -> Kind {
        let text = data.utf8.filter { $0 > 0x20 }
        if (1...20).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .id
        }
        guard text.starts(with: "eyJ".utf8) else { return text.count > 400 ? .receipt : .other }
        let jws = try #require(JWS(Array(data.utf8)))
        return jws.payload.has("transactionId") ? .transaction : .appTransaction
    }

    private func counts(_ form: StoredForm) throws -> [Kind: Int] {
        let kinds = try store.receipts(of: 0..<store.customers, as: form)
            .map { try kind(of: $0.data) }
        return Dictionary(grouping: kinds, by: \.self).mapValues(\.count)
    }

    @Test("The ids and owners of rows are the same in each form")
    func rows() throws {
        let plain = store.receipts(of: 0..<200)
        for form in StoredForm.allCases {
            let rows = store.receipts(of: 0..<200, as: form)
            #expect(rows.map(\.id) == plain.map(\.id))
            #expect(rows.map(\.user) == plain.map(\.user))
            #expect(rows.map(\.bundle) == plain.map(\.bundle))
            #expect(rows.map(\.storedAt) == plain.map(\.storedAt))
        }
    }

    @Test("Each form is most of its rows; an iOS 6 receipt stays one, and so does one without ids")
    func forms() throws {
        let receipts = try counts(.receipt)
        #expect(receipts[.id] == nil)
        #expect(receipts[.receipt, default: 0] > 900)
        // StoreKit 2 customers, of whom no receipt was ever sent.
        #expect((4..<12).contains(receipts[.transaction, default: 0]))
        #expect((1..<6).contains(receipts[.appTransaction, default: 0]))
        let signed = try counts(.jws)
        #expect(signed[.transaction, default: 0] > 800)
        #expect((20..<100).contains(signed[.appTransaction, default: 0]))
        #expect((20..<60).contains(signed[.receipt, default: 0]))
        let ids = try counts(.id)
        #expect(ids[.id, default: 0] > 800)
        #expect((20..<200).contains(ids[.receipt, default: 0]))
        let mixed = try counts(.mixed)
        for kind in [Kind.receipt, .transaction, .id] {
            #expect((250..<500).contains(mixed[kind, default: 0]), "\(kind)")
        }
    }

    @Test("A stored JWS is genuine unless it is forged or Xcode's, and the API knows its customer")
    func isGenuine() throws {
        let verifier = JWSVerifier(TrustedRoots([ThrowAwayChain.root]))
        var known = 0
        for number in 0..<300 {
            let customer = store.customer(number)
            for row in store.receipts(of: number..<number + 1, as: .jws) {
                guard row.data.contains("eyJ"), let jws = JWS(Array(row.data.utf8)) else {
                    continue
                }
                let result = verifier.verification(of: jws, now: Instant(milliseconds: 0))
                let invented = Card(story: .signedTransaction, flaw: .neverBought)
                let isOdd =
                    [.forged, .xcode].contains(customer.card.story) || customer.card == invented
                #expect(result.isGenuine != isOdd, "\(row.id)")
                guard !isOdd, let id = jws.payload.text("transactionId") else { continue }
                let app = try #require(
                    SimulatedApp.all.first { $0.bundle == jws.payload.text("bundleId") })
                let sandbox = jws.payload.environment == "Sandbox"
                let teller = APITeller(
                    store: store, app: app, environment: sandbox ? .sandbox : .production)
                guard customer.card.story != .accountGone else { continue }
                let told = try teller.transactions(try #require(Int64(id)))
                #expect(told.contains { $0.id?.text == id }, "\(row.id)")
                known += 1
            }
        }
        #expect(known > 200)
    }
}
