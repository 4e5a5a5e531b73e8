@testable import Reconcile

/// What is built from a product's name: `.pro(bought: -10)` is a line of Apple's answer, and
/// `.pro(until: 20)` a stored row. All numbers are days from the instant of judgement.
///
/// A suite with other products declares them in an extension of its own.
protocol NamedProducts {
    associatedtype Builder
    static func builder(of product: ProductID, days: Double?) -> Builder
}

extension NamedProducts {
    // The subscriptions of `Catalog.acme`, with periods of 30 days.
    static var pro: Builder { builder(of: "pro.monthly", days: 30) }
    static var yearly: Builder { builder(of: "pro.yearly", days: 30) }
    static var max: Builder { builder(of: "max.monthly", days: 30) }
    static var lite: Builder { builder(of: "lite.monthly", days: 30) }
    static var plus: Builder { builder(of: "plus.monthly", days: 30) }
    static var news: Builder { builder(of: "news.weekly", days: 30) }
    static var solo: Builder { builder(of: "solo.monthly", days: 30) }
    // Its other products.
    static var pass: Builder { builder(of: "pass", days: nil) }
    static var passWithoutDuration: Builder { builder(of: "pass.unknown", days: nil) }
    static var unlock: Builder { builder(of: "unlock", days: nil) }
    static var full: Builder { builder(of: "full", days: nil) }
    static var coins: Builder { builder(of: "coins", days: nil) }
    // Outside the catalogue: a subscription, and products that may be anything.
    static var unlistedMonthly: Builder { builder(of: "x.monthly", days: 30) }
    static var unlisted: Builder { builder(of: "theme", days: nil) }
}
