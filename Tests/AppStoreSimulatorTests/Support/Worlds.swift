import Testing

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

    /// The request body for the first receipt of the first customer with this story.
    func body(living story: Story) throws -> [UInt8] {
        body(for: try #require(customer(living: story)))
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

func serving<Result>(
    faults: String = "0", latency: Duration = .zero, customers: Int = 1_000,
    _ body: (AppStoreSimulator, SimulatedStore) throws -> Result
) throws -> Result {
    let store = SimulatedStore.demo(customers: customers)
    var settings = AppStoreSimulator.Settings()
    settings.faults = try FaultPlan(parsing: faults)
    settings.latency = latency
    let simulator = try AppStoreSimulator.start(store, settings)
    defer { simulator.stop() }
    return try body(simulator, store)
}

extension AppStoreSimulator {
    /// The reply to one request over a connection of its own.
    func reply(to body: String = "{}", at url: String? = nil) -> String {
        let client = RawClient(url ?? productionURL)
        client.post(Array(body.utf8))
        return client.reply()
    }
}
