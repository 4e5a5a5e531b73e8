/// Which of Apple's units and of ours are compared, and of what app they are.
struct UnitTable {
    private(set) var sums: UnitSums
    private let apps: [AppSKU: BundleID]
    private let isDetail: Bool
    /// Of the catalogue and of our figures.
    private let products: Set<ProductID>
    /// The apps whose figures show a product.
    private let homes: [ProductID: Set<BundleID>]

    init(
        _ published: PublishedUnits, of days: Set<Instant>, apps: [AppSKU: BundleID],
        isDetail: Bool, products: Set<ProductID>
    ) {
        sums = UnitSums(of: days)
        self.apps = apps
        self.isDetail = isDetail
        let bundles = Set(apps.values)
        let figures = published.figures.filter {
            days.contains($0.day) && (apps.isEmpty || bundles.contains($0.bundle))
        }
        homes = figures.reduce(into: [:]) { $0[$1.product, default: []].insert($1.bundle) }
        self.products = products.union(homes.keys)
        for figure in figures { add(figure) }
    }

    private mutating func add(_ figure: PublishedUnits.Figure) {
        let bundle = apps.isEmpty ? home(of: figure.product) : figure.bundle
        for measure in UnitMeasure.allCases {
            let key = TieOutLine.Key(
                day: figure.day, bundle: bundle, product: figure.product, measure: measure)
            sums.add(
                TieOutLine.Units(
                    ours: figure.count(measure), aside: figure.aside(measure)), to: key)
        }
    }

    /// - Returns: how many rows count.
    mutating func add(_ report: AppleReport) -> Int {
        var rows = 0
        for (reported, tally) in report.units where counts(reported) {
            let bundle = reported.app.flatMap { apps[$0] } ?? home(of: reported.product)
            let key = TieOutLine.Key(
                day: reported.day, bundle: bundle, product: reported.product,
                measure: reported.measure)
            sums.add(TieOutLine.Units(apple: tally.units), to: key)
            rows += tally.rows
        }
        return rows
    }

    private func counts(_ reported: AppleReport.Key) -> Bool {
        guard sums.days.contains(reported.day) else { return false }
        if isDetail { return products.contains(reported.product) }
        return apps.isEmpty || reported.app.map { apps[$0] != nil } == true
    }

    /// The one app whose figures show the product.
    private func home(of product: ProductID) -> BundleID? {
        homes[product].flatMap { $0.count == 1 ? $0.first : nil }
    }
}
