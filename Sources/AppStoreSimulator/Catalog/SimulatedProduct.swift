package struct SimulatedProduct: Hashable, Sendable {
    /// Raw values are those of receipt attribute 1707.
    package enum Kind: Int, Hashable, Sendable {
        case nonConsumable = 0
        case consumable = 1
        case nonRenewing = 2
        case autoRenewable = 3
    }

    package enum Period: Hashable, Sendable {
        case months(Int)
        case days(Int)
    }

    package let id: String
    package let kind: Kind
    /// Nil for a subscription without a group and for other kinds.
    package let group: String?
    /// 1 is the highest.
    package let level: Int?
    /// The billing period of a subscription, or the duration of a pass.
    package let period: Period?
    /// In US dollars, as a decimal number.
    package let price: String
    /// False for a product that the team forgot to enter into its catalogue.
    package let isInCatalog: Bool

    init(
        _ id: String, _ kind: Kind, group: String? = nil, level: Int? = nil,
        period: Period? = nil, price: String, isInCatalog: Bool = true
    ) {
        self.id = id
        self.kind = kind
        self.group = group
        self.level = level
        self.period = period
        self.price = price
        self.isInCatalog = isInCatalog
    }

    var right: String { group ?? id }

    /// Apple's number of the subscription group.
    var groupNumber: String {
        String(20_000_000 + right.utf8.reduce(0) { ($0 * 31 + Int($1)) % 999_983 })
    }

    func end(of start: Moment, renewals count: Int = 0) -> Moment {
        switch period {
        case .months(let months): start.months(months * (count + 1))
        case .days(let days): start.days(days * (count + 1))
        case nil: start
        }
    }

    /// The start of the period that is `count` periods after the one at `anchor`.
    func start(_ count: Int, periodsAfter anchor: Moment) -> Moment {
        end(of: anchor, renewals: count - 1)
    }

    /// A lower bound of the period: a month counts as 28 days.
    var shortestDays: Int {
        switch period {
        case .months(let months): months * 28
        case .days(let days): days
        case nil: 0
        }
    }
}
