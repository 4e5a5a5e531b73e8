package struct SimulatedAsset: Hashable, Sendable {
    /// The team's asset id, the app's name for it, and the file server's key.
    package let id: String
    package let remoteProduct: String
    package let productKey: String
    package let products: [(product: String, tier: Int)]

    package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    private init(_ name: String, _ products: [(String, Int)]) {
        id = "asset-\(name)"
        remoteProduct = name
        productKey = "\(name).bundle"
        self.products = products.map { (product: $0.0, tier: $0.1) }
    }

    package static let all = [
        SimulatedAsset(
            "world-maps",
            [
                ("com.example.atlas.unlock", 1), ("com.example.atlas.premium", 1),
                ("com.example.atlas.pro.monthly", 1), ("com.example.atlas.pro.yearly", 2),
                ("com.example.atlas.max.monthly", 3),
            ]),
        SimulatedAsset("relief-maps", [("com.example.atlas.unlock", 1)]),
        SimulatedAsset("magazine", [("com.example.atlas.weekly", 1)]),
        SimulatedAsset("filters", [("com.example.lumen.filters", 1)]),
    ]
}

/// A download key that the simulated service issued, or a product whose asset another product's key
/// unlocks. Keys are random text that opens nothing.
package struct SimulatedDownloadKey: Hashable, Sendable {
    package let receipt: String
    package let product: String
    package let asset: SimulatedAsset
    package let key: String
    /// One hour after it was issued.
    package let expiresAt: Moment
}

extension SimulatedStore {
    /// The keys issued to a customer within the last hour, including mistakes: a missed refund, a
    /// key for a product that was not bought, or a missing product.
    /// - Parameter number: from 0, below `customers`.
    package func downloadKeys(of number: Int) -> [SimulatedDownloadKey] {
        let customer = customer(number)
        let atlas = SimulatedApp.atlas
        guard [.owner, .ownerRefunded, .collector].contains(customer.card.story),
            let account = customer.accounts.first, account.app == atlas,
            let file = customer.receipts.first(where: { $0.bundle == atlas.bundle })
        else { return [] }
        let receipt = "receipt-\(customer.tag(of: file.user))-\(file.number)"
        var products = account.purchases.filter { $0.purchasedAt <= now }.map(\.product.id)
        products += account.subscriptions.compactMap { $0.latest(at: now)?.product.id }
        switch (customer.card.story, number % 4) {
        case (.collector, 0): products.append(SimulatedApp.lumen.product("filters").id)
        case (.collector, 1): products.removeAll { $0 == atlas.product("unlock").id }
        default: break
        }
        return SimulatedAsset.all.flatMap { asset in
            asset.products.filter { products.contains($0.product) }.map { link in
                SimulatedDownloadKey(
                    receipt: receipt, product: link.product, asset: asset,
                    key: "simulated-\(receipt)-\(link.product)-\(asset.remoteProduct)",
                    expiresAt: now + 30 * 60_000)
            }
        }
    }
}
