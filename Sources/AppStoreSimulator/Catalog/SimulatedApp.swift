package struct SimulatedApp: Hashable, Sendable {
    package let bundle: String
    /// Shared secret: 32 hexadecimal digits, of no value outside the simulator.
    package let secret: String
    /// The last paid `original_application_version` of an app that became free.
    package let lastPaidVersion: String?
    /// When the app became free, if the team recorded it.
    package let paidUntil: Moment?
    package let premiumProduct: String?
    package let products: [SimulatedProduct]
    let storeID: Int64
    var isForMac = false

    func product(_ name: String) -> SimulatedProduct {
        let id = "\(bundle).\(name)"
        guard let product = products.first(where: { $0.id == id }) else {
            preconditionFailure("The simulated app \(bundle) does not sell \(name).")
        }
        return product
    }

    var subscriptions: [SimulatedProduct] {
        products.filter { $0.kind == .autoRenewable && $0.group != nil && $0.isInCatalog }
    }
}

extension SimulatedApp {
    /// Maps for travellers: subscriptions of three levels, a weekly magazine, a pass, an unlock and
    /// coins. Paid up to build 240, free since then.
    static let atlas = SimulatedApp(
        bundle: "com.example.atlas", secret: "5ea1f00d5ea1f00d5ea1f00d5ea1f00d",
        lastPaidVersion: "240", paidUntil: nil,
        premiumProduct: "com.example.atlas.premium",
        products: [
            subscription("atlas.plus.monthly", "atlas.membership", 3, .months(1), "4.99"),
            subscription("atlas.pro.monthly", "atlas.membership", 2, .months(1), "9.99"),
            subscription("atlas.pro.yearly", "atlas.membership", 2, .months(12), "79.99"),
            subscription("atlas.max.monthly", "atlas.membership", 1, .months(1), "19.99"),
            subscription("atlas.weekly", nil, nil, .days(7), "1.99"),
            SimulatedProduct(
                "com.example.atlas.pass", .nonRenewing, period: .days(30), price: "5.99"),
            SimulatedProduct("com.example.atlas.unlock", .nonConsumable, price: "29.99"),
            SimulatedProduct("com.example.atlas.premium", .nonConsumable, price: "12.99"),
            SimulatedProduct("com.example.atlas.coins", .consumable, price: "0.99"),
            SimulatedProduct(
                "com.example.atlas.mystery", .autoRenewable, period: .months(1), price: "2.99",
                isInCatalog: false),
        ], storeID: 1_479_208_301)

    static let lumen = SimulatedApp(
        bundle: "com.example.lumen", secret: "1a3e41a3e41a3e41a3e41a3e41a3e412",
        lastPaidVersion: nil, paidUntil: nil, premiumProduct: nil,
        products: [
            subscription("lumen.studio.monthly", "lumen.studio", 2, .months(1), "6.99"),
            subscription("lumen.studio.yearly", "lumen.studio", 2, .months(12), "49.99"),
            subscription("lumen.team.monthly", "lumen.studio", 1, .months(1), "14.99"),
            SimulatedProduct("com.example.lumen.filters", .nonConsumable, price: "8.99"),
        ], storeID: 1_502_118_844)

    /// A metronome for the Mac, whose versions are marketing versions. Paid up to 3.4.1.
    static let tempo = SimulatedApp(
        bundle: "com.example.tempo", secret: "7e3907e3907e3907e3907e3907e39070",
        lastPaidVersion: "3.4.1", paidUntil: Moment(milliseconds: 1_640_995_200_000),
        premiumProduct: "com.example.tempo.premium",
        products: [
            SimulatedProduct("com.example.tempo.premium", .nonConsumable, price: "19.99")
        ], storeID: 1_120_993_705, isForMac: true)

    package static let all = [atlas, lumen, tempo]

    private static func subscription(
        _ name: String, _ group: String?, _ level: Int?, _ period: SimulatedProduct.Period,
        _ price: String
    ) -> SimulatedProduct {
        SimulatedProduct(
            "com.example." + name, .autoRenewable, group: group, level: level, period: period,
            price: price)
    }
}
