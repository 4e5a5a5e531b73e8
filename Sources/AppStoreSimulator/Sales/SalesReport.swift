/// A daily Summary Sales Report as App Store Connect offers it: tab-separated, a line for each
/// product and kind of sale of one Pacific day.
/// Source: App Store Connect Help, "Summary Sales Report".
package struct SalesReport: Sendable {
    /// Days since 1970-01-01.
    let day: Int64
    fileprivate(set) var units: [Sale: Int] = [:]

    /// The number of the vendor in the names of the simulated files.
    private static let vendor = "80000000"

    private static let header = [
        "Provider", "Provider Country", "SKU", "Developer", "Title", "Version",
        "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
        "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
        "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category",
        "CMB", "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client",
        "Order Type",
    ]

    /// For example `S_D_80000000_20261105.txt`.
    package var name: String { "S_D_\(Self.vendor)_\(date.year)\(date.month)\(date.day).txt" }

    package var text: String {
        let lines = units.sorted { $0.key < $1.key }.map(line)
        return ([Self.header] + lines).map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    private var date: (year: String, month: String, day: String) {
        let civil = CivilTime(Moment(milliseconds: day * Moment.day))
        return (String(civil.year), twoDigits(civil.month), twoDigits(civil.day))
    }

    private func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    private func line(of sale: Sale, units: Int) -> [String] {
        let day = "\(date.month)/\(date.day)/\(date.year)"
        let product = sale.product
        // Apple's share is left out: nobody adds up proceeds of simulated sales.
        let price = sale.isTrial ? "0.00" : product.price
        return [
            "APPLE", "US", product.id, "Example Works", product.id, " ", sale.type, String(units),
            price, day, day, "USD", "US", "USD", String(sale.app.storeID), price, " ",
            sale.app.sku, product.kind == .autoRenewable ? "Renewal" : " ", " ", " ", " ",
            sale.app.isForMac ? "Desktop" : "iPhone", sale.app.isForMac ? "macOS" : "iOS", " ", " ",
            " ", " ",
        ]
    }
}

/// What one line of a sales report counts.
struct Sale: Hashable, Comparable, Sendable {
    let app: SimulatedApp
    let product: SimulatedProduct
    let isTrial: Bool
    let isRefund: Bool

    /// Product Type Identifier: `IA` is an in-app purchase, `FI` one of an app for the Mac.
    var type: String {
        let kind =
            switch product.kind {
            case .autoRenewable: "Y"
            case .nonRenewing: "9"
            case .consumable, .nonConsumable: "1"
            }
        return (app.isForMac ? "FI" : "IA") + kind
    }

    static func < (left: Sale, right: Sale) -> Bool { left.order < right.order }

    private var order: (String, Int, Int) {
        (product.id, isRefund ? 1 : 0, isTrial ? 1 : 0)
    }
}

extension SimulatedStore {
    /// What Apple counted on each of the `days` whole Pacific days before now: of all customers,
    /// also those that the service has never heard of. Sandbox purchases and family shares are no
    /// sales.
    package func salesReports(days: Int) -> [SalesReport] {
        let today = now.pacificDay
        var reports = (today - Int64(days)..<today).map { SalesReport(day: $0) }
        guard let first = reports.first?.day else { return [] }
        for number in [Array(0..<customers), Array(Stranger.numbers)].joined() {
            for account in customer(number).accounts where !account.isSandbox {
                for (day, sale, units) in account.sales(at: now) where day >= first && day < today {
                    reports[Int(day - first)].units[sale, default: 0] += units
                }
            }
        }
        return reports
    }
}

extension AppAccount {
    fileprivate func sales(at now: Moment) -> [(day: Int64, sale: Sale, units: Int)] {
        known(at: now).filter { !$0.isShared }.flatMap { purchase in
            var sales = [
                (
                    purchase.purchasedAt.pacificDay,
                    sale(of: purchase, isRefund: false), purchase.quantity
                )
            ]
            if purchase.upgradedAt == nil, let refundedAt = purchase.revocation(at: now) {
                sales.append(
                    (refundedAt.pacificDay, sale(of: purchase, isRefund: true), -purchase.quantity))
            }
            return sales
        }
    }

    private func sale(of purchase: Purchase, isRefund: Bool) -> Sale {
        Sale(
            app: app, product: purchase.product, isTrial: purchase.isTrial && !isRefund,
            isRefund: isRefund)
    }
}

extension SimulatedApp {
    /// The vendor's own name of the app, in capital letters: `ATLAS`.
    fileprivate var sku: String { (bundle.split(separator: ".").last ?? "").uppercased() }
}
