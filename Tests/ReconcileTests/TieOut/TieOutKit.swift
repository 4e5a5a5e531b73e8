import Testing

@testable import Reconcile
@testable import TestSupport

extension Instant {
    /// A day of November 2026.
    static func nov(_ day: Int) -> Instant {
        CivilDate.midnight(year: 2026, month: 11, day: Int64(day))
    }
}

extension CivilDate {
    fileprivate static func midnight(year: Int64, month: Int64, day: Int64) -> Instant {
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        return Instant(milliseconds: days * Instant.millisecondsPerDay)
    }
}

/// Units of one product on a day of November 2026: Apple's or ours.
struct DaySales: Sendable {
    var day: Int
    var product: ProductID
    var sold: Int
    var refunded: Int
    var trials = 0
    var upgraded = 0
    var bundle: BundleID = "app.one"
    var sku: AppSKU? = "ONE"

    static func on(
        _ day: Int, _ product: ProductID = "pro", _ sold: Int = 0, refunded: Int = 0,
        trials: Int = 0, upgraded: Int = 0, of bundle: BundleID = "app.one",
        under sku: AppSKU? = "ONE"
    ) -> DaySales {
        DaySales(
            day: day, product: product, sold: sold, refunded: refunded, trials: trials,
            upgraded: upgraded, bundle: bundle, sku: sku)
    }
}

extension AppleReport {
    /// A report of the days that it is given, with a row for each measure of a sale.
    static func of(
        _ sales: DaySales..., days: ClosedRange<Int>, kind: Kind = .sales,
        named name: String = "a.txt", content: String? = nil
    ) -> AppleReport {
        var units: [Key: Tally] = [:]
        for sale in sales {
            for (measure, count) in [(UnitMeasure.sold, sale.sold), (.refunded, sale.refunded)]
            where count > 0 {
                let key = Key(
                    day: .nov(sale.day), product: sale.product,
                    app: kind == .sales ? sale.sku : nil, measure: measure)
                units[key] = Tally(units: count, rows: 1)
            }
        }
        let days = days.map { (Instant.nov($0), $0 + 1) }
        return AppleReport(
            path: name, kind: kind, sha256: digest(of: name), contentSHA256: content ?? name,
            rows: units.count, days: Dictionary(uniqueKeysWithValues: days), units: units)
    }

    /// In the form of a digest, another for each name.
    private static func digest(of name: String) -> String {
        let digits = name.utf8.map { String($0, radix: 16) }.joined().suffix(64)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }
}

extension PublishedUnits {
    /// Our figures of the days, all of one run.
    static func of(_ sales: DaySales..., days: ClosedRange<Int>) -> PublishedUnits {
        var units = PublishedUnits()
        units.runs = [UsedRun(run: Run.sample().id, asOf: .nov(28), isComplete: true)]
        for day in days { units.runOfDay[.nov(day)] = 0 }
        units.figures = sales.map { sale in
            Figure(
                day: .nov(sale.day), bundle: sale.bundle, product: sale.product, sold: sale.sold,
                trials: sale.trials, refunded: sale.refunded, upgraded: sale.upgraded)
        }
        return units
    }
}

extension TieOut {
    /// Of the days of the files, unless others are given.
    static func of(
        _ reports: [AppleReport], _ units: PublishedUnits, days: ClosedRange<Int>? = nil,
        within tolerance: String = "0.5%", apps: [AppSKU: BundleID] = [:],
        products: Set<ProductID> = []
    ) throws -> TieOut {
        let set = try ReportSet(reports)
        let given = days.flatMap {
            PacificDays(first: .nov($0.lowerBound), last: .nov($0.upperBound))
        }
        let range = try #require(given ?? set.range)
        var scope = TieOutScope()
        scope.tolerance = try #require(Tolerance(tolerance))
        scope.apps = apps
        return try #require(TieOut(set, units, in: range, scope, products: products))
    }

    /// A line of a day of November 2026, or of all days.
    func line(
        _ product: ProductID = "pro", _ measure: UnitMeasure = .sold, on day: Int? = nil
    ) -> TieOutLine? {
        lines.first {
            $0.key.product == product && $0.key.measure == measure
                && $0.key.day == day.map(Instant.nov)
        }
    }
}
