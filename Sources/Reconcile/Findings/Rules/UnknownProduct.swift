extension FindingKind {
    /// Apple shows a product that is not in the catalogue. Its rows can be judged only in part.
    static let unknownProduct = FindingKind(
        "unknown_product", .medium, .none, in: .mismatches, action: .investigate,
        isFoundOffline: true,
        remedy: "the catalogue has the product")
}

struct UnknownProduct: Hashable, Sendable {
    var product: ProductID
    /// Users whose right-giving answers show it.
    var users: Int
    /// Stored entitlements that name it, of any user.
    var rows: Int

    var finding: Finding {
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
    /// One finding per product, sorted by id.
    var combined: [UnknownProduct] {
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
    /// Products outside the catalogue in the user's right-giving answers or rows.
    var unknownProducts: [UnknownProduct] {
        var shown: Set<ProductID> = []
        for run in purchases.runs {
            guard let product = run.first?.product, !catalog.has(product) else { continue }
            shown.insert(product)
        }
        var sightings = shown.map { UnknownProduct(product: $0, users: 1, rows: 0) }
        for row in evidence.entitlements where !catalog.has(row.product) {
            sightings.append(UnknownProduct(product: row.product, users: 0, rows: 1))
        }
        return sightings.isEmpty ? [] : sightings.combined
    }
}
