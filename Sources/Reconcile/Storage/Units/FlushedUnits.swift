/// The unit sightings of a flush, as one row: a row for each would write more than all other rows
/// of a user.
struct FlushedUnits {
    private struct Line: Hashable {
        let bundle: BundleID
        let product: ProductID
    }

    let flush: Int
    private(set) var bundles: [String] = []
    private(set) var products: [String] = []
    /// Of each sighting: its line, from 1, its user's number in the flush, and the rest of it.
    private(set) var lines: [Int] = []
    private(set) var users: [Int] = []
    private(set) var sightings: [UnitSighting] = []

    /// Nil when the users show nothing that counts.
    /// - Parameter flush: its random number.
    init?(of users: [Reference<JudgedUser>], in flush: Int) {
        self.flush = flush
        var numbers: [Line: Int] = [:]
        for (member, user) in users.enumerated() {
            for sighting in user.value.units {
                let line = Line(bundle: sighting.bundle, product: sighting.product)
                lines.append(number(of: line, &numbers))
                self.users.append(member)
                sightings.append(sighting)
            }
        }
        guard !sightings.isEmpty else { return nil }
    }

    private mutating func number(of line: Line, _ numbers: inout [Line: Int]) -> Int {
        if let known = numbers[line] { return known }
        bundles.append(line.bundle.text)
        products.append(line.product.text)
        numbers[line] = bundles.count
        return bundles.count
    }
}

extension ResultTables {
    static let unitSightings = CopyTable<FlushedUnits>(
        "unit_sighting", of: .number,
        [
            .bigint("flush_no") { $0.flush },
            .texts("bundles") { $0.bundles },
            .texts("products") { $0.products },
            .ints("lines") { $0.lines },
            .ints("users") { $0.users },
            .ints("kinds") { $0.sightings.map(\.kind.rawValue) },
            .ints("quantities") { $0.sightings.map(\.quantity) },
            .timestamps("instants") { $0.sightings.map(\.at) },
            .bigints("purchases") { $0.sightings.map(\.purchase) },
        ])
}
