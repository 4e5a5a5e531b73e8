/// Something that customers of the simulated team may download.
package struct SimulatedAsset: Hashable, Sendable {
    /// The team's own id, what the app calls it, and what the server of files does.
    package let id: String
    package let remoteProduct: String
    package let productKey: String
    /// The products that lead to it, with their tiers.
    package let products: [(product: String, tier: Int)]

    package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    private init(_ name: String, _ products: [(String, Int)]) {
        id = "asset-\(name)"
        remoteProduct = name
        productKey = "\(name).bundle"
        self.products = products.map { (product: $0.0, tier: $0.1) }
    }

    /// Maps and filters: what is bought for good leads to both kinds of maps.
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

/// A download key that the simulated service has handed out, or a product whose asset another
/// product's key opens. The keys are no secrets: nothing opens them.
package struct SimulatedDownloadKey: Hashable, Sendable {
    package let receipt: String
    package let product: String
    package let asset: SimulatedAsset
    package let key: String
    /// When it ends, an hour after it was cut.
    package let expiresAt: Moment
}

extension SimulatedStore {
    /// What the service handed out to a customer within the last hour, with its mistakes: it missed
    /// a refund, cut a key for what was never bought, or forgot a product.
    /// - Parameter number: from 0 up to `customers`.
    package func downloadKeys(of number: Int) -> [SimulatedDownloadKey] {
        let customer = customer(number)
        let atlas = SimulatedApp.atlas
        guard [.owner, .ownerRefunded, .collector].contains(customer.card.story),
            let account = customer.accounts.first, account.app == atlas,
            let file = customer.receipts.first(where: { $0.bundle == atlas.bundle })
        else { return [] }
        let receipt = "receipt-\(file.user.dropFirst(5))-\(file.number)"
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
