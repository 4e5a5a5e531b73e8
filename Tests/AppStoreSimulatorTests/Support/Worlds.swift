@testable import AppStoreSimulator

extension SimulatedStore {
    /// The demo world: 2026-11-20T02:00:00Z and the nights after it.
    static func demo(
        seed: UInt64 = 1, customers: Int = 3_000, night: Int = 1
    ) -> SimulatedStore {
        SimulatedStore(
            seed: seed, customers: customers,
            firstNight: Moment(milliseconds: 1_795_140_000_000), night: night)
    }

    /// The first customer with this story whose stored rows agree with Apple.
    func customer(living story: Story, in style: AppAccount.Style? = nil) -> Customer? {
        (0..<customers).lazy.map { customer($0) }.first {
            $0.card.story == story && (style == nil || $0.accounts.first?.style == style)
        }
    }

    func receipt(_ number: Int = 1, of customer: Customer) -> SimulatedReceipt {
        receipts(of: customer.number..<customer.number + 1)[number - 1]
    }

    /// The request body for the customer's first receipt, repaired.
    func body(for customer: Customer, password: String? = nil) -> [UInt8] {
        let file = customer.receipts[0]
        var whole = file
        whole.damage = .none
        let text = whole.text(of: customer, seed: seed, mint: ReceiptMint())
        let secret = password ?? customer.accounts[file.account].app.secret
        return Array(#"{"receipt-data":"\#(text)","password":"\#(secret)"}"#.utf8)
    }
}
