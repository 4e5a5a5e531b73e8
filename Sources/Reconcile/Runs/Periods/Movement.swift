/// What stood, entered, left and changed in a period, of the findings of one line.
package struct Movement: Equatable, Sendable {
    struct Line: Hashable, Sendable {
        var direction: Direction
        var kind: FindingKind
        var app: BundleID?
        /// Apple's, else the stored one.
        var product: ProductID?
        /// Nil when the findings have no amount.
        var currency: Currency?
        var isAccepted: Bool
    }

    /// Raw values begin the names of columns.
    enum Flow: String, CaseIterable, Sendable {
        case opening, new, reopened, cleared
        /// From line to line: out with the old amount, in with the new.
        case moved
        /// What the amounts changed by within the line.
        case revalued
        case closing
        /// Of closing, what the closing run did not report.
        case unjudged

        /// In a count nothing is revalued.
        static let counted = allCases.filter { $0 != .revalued }
    }

    let line: Line
    private(set) var counts: [Flow: Int] = [:]
    /// In minor units; empty without a currency.
    private(set) var amounts: [Flow: Int128] = [:]
    /// Of opening, what the opening run did not report.
    var unjudgedAtOpening = 0

    init(_ line: Line) { self.line = line }

    mutating func set(_ flow: Flow, count: Int, amount: Money?) {
        if count != 0 { counts[flow] = count }
        if let amount, line.currency == amount.currency { amounts[flow] = amount.minorUnits }
    }

    func count(_ flow: Flow) -> Int { counts[flow] ?? 0 }

    func amount(_ flow: Flow) -> Money? {
        line.currency.map { Money(minorUnits: amounts[flow] ?? 0, in: $0) }
    }

    /// How the line fails to tie; nil when it does.
    var difference: String? {
        let count = Self.expected { self.count($0) }
        if count != self.count(.closing) {
            return "opens with, gets and loses \(count), but closes with \(self.count(.closing))"
        }
        guard let closing = amount(.closing) else { return nil }
        let amount = Self.expected { amounts[$0] ?? 0 }
        guard amount == closing.minorUnits else {
            let money = Money(minorUnits: amount, in: closing.currency)
            return "opens with, gets and loses \(money.text), but closes with \(closing.text)"
        }
        return nil
    }

    private static func expected<Number: Numeric>(_ value: (Flow) -> Number) -> Number {
        let before: Number = value(.opening)
        let entered: Number = value(.new) + value(.reopened)
        return before + entered - value(.cleared) + value(.moved) + value(.revalued)
    }
}

extension Movement {
    /// The order of the table: by column, texts as UTF-8 bytes, empty cells first.
    func comesBefore(_ other: Movement) -> Bool {
        for (own, others) in zip(line.names, other.line.names) where !own.hasSameBytes(as: others) {
            return own.bytesPrecede(others)
        }
        return false
    }

    package var name: String {
        let names = [
            line.kind.rawValue, line.app?.text, line.product?.text, line.currency?.code,
            line.isAccepted ? "accepted" : nil,
        ]
        return names.compactMap(\.self).joined(separator: ", ")
    }
}

extension Movement.Line {
    fileprivate var names: [String] {
        [
            direction.rawValue, kind.rawValue, app?.text ?? "", product?.text ?? "",
            currency?.code ?? "", isAccepted ? "true" : "false",
        ]
    }
}
