extension FindingKind {
    /// Apple shows a product that the catalogue does not have: its rows are judged only as far as
    /// that goes.
    static let unknownProduct = FindingKind(
        "unknown_product", .medium, .none, in: .mismatches, action: .investigate,
        isFoundOffline: true,
        remedy: "the catalogue has the product")
}

/// How often some users' right-giving answers, and the service's rows, name a product that is not
/// in the catalogue.
package struct UnknownProduct: Hashable, Sendable {
    package var product: ProductID
    /// Users whose right-giving answers show it.
    package var users: Int
    /// Stored entitlements that name it, whoever's they are.
    package var rows: Int

    package init(product: ProductID, users: Int, rows: Int) {
        self.product = product
        self.users = users
        self.rows = rows
    }

    /// `unknown_product`: one for the product.
    package var finding: Finding {
        let kind = FindingKind.unknownProduct
        var finding = Finding(
            kind: kind, weight: kind.weight, user: nil, explanation: explanation,
            reference: product.text)
        finding.productApple = product
        return finding
    }

    private var explanation: String {
        "Apple shows the product \(product) in the receipts of \(users) user"
            + "\(users == 1 ? "" : "s"), and \(rows) stored entitlement\(rows == 1 ? "" : "s")"
            + " name\(rows == 1 ? "s" : "") it, but the view catalog_products does not have it:"
            + " it is judged only where Apple shows an expiry, or signed receipts name its kind."
    }
}

extension [UnknownProduct] {
    /// One for each product, in the order of their ids.
    package var combined: [UnknownProduct] {
        var byProduct: [ProductID: UnknownProduct] = [:]
        for sighting in self {
            byProduct[
                sighting.product,
                default: UnknownProduct(product: sighting.product, users: 0, rows: 0)
            ].add(sighting)
        }
        return byProduct.values.sorted { $0.product < $1.product }
    }
}

extension UnknownProduct {
    fileprivate mutating func add(_ other: UnknownProduct) {
        users += other.users
        rows += other.rows
    }
}

extension UserCase {
    /// Products outside the catalogue that right-giving answers show, or that rows name.
    var unknownProducts: [UnknownProduct] {
        let shown = Set(purchases.runs.compactMap(\.first?.product).filter { !catalog.has($0) })
        let stored = evidence.entitlements.map(\.product).filter { !catalog.has($0) }
        guard !shown.isEmpty || !stored.isEmpty else { return [] }
        let sightings =
            shown.map { UnknownProduct(product: $0, users: 1, rows: 0) }
            + stored.map { UnknownProduct(product: $0, users: 0, rows: 1) }
        return sightings.combined
    }
}
