/// A value of a finding that a column of reports and of `reconcile.finding` has.
protocol CellValue: Sendable {
    /// The cell of a column of this type without a value.
    static var empty: Cell { get }
    var cell: Cell { get }
    /// Nil for a cell that is no such value.
    init?(cell: Cell)
}

extension Optional: CellValue where Wrapped: CellValue {
    static var empty: Cell { Wrapped.empty }

    var cell: Cell { self?.cell ?? Wrapped.empty }

    init?(cell: Cell) {
        if cell == Wrapped.empty {
            self = .none
        } else if let value = Wrapped(cell: cell) {
            self = .some(value)
        } else {
            return nil
        }
    }
}

extension String: CellValue {
    static var empty: Cell { .text(nil) }

    var cell: Cell { .text(self) }

    init?(cell: Cell) {
        guard case .text(let text?) = cell else { return nil }
        self = text
    }
}

extension Identifier: CellValue {
    static var empty: Cell { .text(nil) }

    var cell: Cell { .text(text) }

    init?(cell: Cell) {
        guard case .text(let text?) = cell else { return nil }
        self.init(text)
    }
}

extension Instant: CellValue {
    static var empty: Cell { .instant(nil) }

    var cell: Cell { .instant(self) }

    init?(cell: Cell) {
        guard case .instant(let instant?) = cell else { return nil }
        self = instant
    }
}

extension Bool: CellValue {
    static var empty: Cell { .boolean(nil) }

    var cell: Cell { .boolean(self) }

    init?(cell: Cell) {
        guard case .boolean(let truth?) = cell else { return nil }
        self = truth
    }
}

extension Int: CellValue {
    static var empty: Cell { .integer(nil) }

    var cell: Cell { .integer(self) }

    init?(cell: Cell) {
        guard case .integer(let number?) = cell else { return nil }
        self = number
    }
}

extension CellValue where Self: RawRepresentable<String> {
    static var empty: Cell { .text(nil) }

    var cell: Cell { .text(rawValue) }

    init?(cell: Cell) {
        guard case .text(let text?) = cell else { return nil }
        self.init(rawValue: text)
    }
}

extension FindingKind: CellValue {}
extension Severity: CellValue {}
extension Direction: CellValue {}
extension Lifecycle: CellValue {}
extension AppleState: CellValue {}
extension ProposedAction: CellValue {}
extension Estimate.NoAmount: CellValue {}
extension StoreEnvironment: CellValue {}
extension Ownership: CellValue {}
extension AnswerSource: CellValue {}
extension AmountBasis: CellValue {}
