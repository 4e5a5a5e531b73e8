extension ServiceRows {
    func mistaken(_ rows: [SimulatedEntitlement], user: String) -> [SimulatedEntitlement] {
        var rows = rows
        switch customer.flaw(on: night) {
        case .none, .fooled: break
        case .stillGranted: rows = rows.map(granted)
        case .notGranted: rows = customer.number % 2 == 0 ? rows.map(withdrawn) : []
        case .believedPaid: rows.append(legacy(for: user))
        case .sameLevel: rows = rows.map { other(than: $0, isOlder: false, isOfSameLevel: true) }
        case .neverBought: rows.append(invented(for: user))
        case .duplicate: rows += rows.prefix(1).map { other(than: $0, isOlder: true) }
        case .wrongLevel: rows = rows.map { other(than: $0, isOlder: false) }
        case .expiryMissing: rows = rows.map { changed($0) { $0.expiresAt = nil } }
        case .expiryTooLate:
            rows = rows.map { changed($0) { $0.expiresAt = $0.expiresAt?.days(12) } }
        case .expiryTooEarly: rows = rows.map { changed($0) { $0.expiresAt = shortened($0) } }
        case .staleLabel: rows = rows.map { changed($0) { $0.autoRenew?.toggle() } }
        case .wrongOwnership:
            rows = rows.map {
                changed($0) {
                    $0.ownership = $0.ownership == "PURCHASED" ? "FAMILY_SHARED" : "PURCHASED"
                }
            }
        }
        return rows
    }

    private func changed(
        _ row: SimulatedEntitlement, _ change: (inout SimulatedEntitlement) -> Void
    ) -> SimulatedEntitlement {
        var row = row
        change(&row)
        return row
    }

    /// The service missed the end: the row is what it was before.
    private func granted(_ row: SimulatedEntitlement) -> SimulatedEntitlement {
        changed(row) { row in
            row.isActive = true
            row.expiresAt = row.expiresAt == nil ? nil : firstNight.days(20)
            row.updatedAt = min(row.updatedAt, firstNight.days(-3))
        }
    }

    private func withdrawn(_ row: SimulatedEntitlement) -> SimulatedEntitlement {
        changed(row) { row in
            row.isActive = false
            row.expiresAt = row.expiresAt.map { min($0, firstNight.days(-3)) }
        }
    }

    /// Too early, but still in the future.
    private func shortened(_ row: SimulatedEntitlement) -> Moment? {
        row.expiresAt.map { now + max(1, ($0.milliseconds - now.milliseconds) / 2) }
    }

    private func other(
        than row: SimulatedEntitlement, isOlder: Bool, isOfSameLevel: Bool = false
    ) -> SimulatedEntitlement {
        let products = SimulatedApp.all.flatMap(\.products)
        guard let product = products.first(where: { $0.id == row.product }),
            let other = products.first(where: {
                $0.group == product.group && $0.group != nil && $0.id != product.id
                    && ($0.level == product.level) == isOfSameLevel
            })
        else { return row }
        return changed(row) { row in
            row.product = other.id
            if isOlder { row.updatedAt = row.updatedAt.days(-1) }
        }
    }

    private func legacy(for user: String) -> SimulatedEntitlement {
        SimulatedEntitlement(
            id: "", user: user, product: SimulatedApp.atlas.product("premium").id, isActive: true,
            source: "legacy_paid", updatedAt: firstNight.days(-9))
    }

    private func invented(for user: String) -> SimulatedEntitlement {
        let app = SimulatedApp.lumen
        let isForGood = customer.number % 3 == 0
        let product = isForGood ? app.product("filters") : app.product("studio.yearly")
        return SimulatedEntitlement(
            id: "", user: user, product: product.id, isActive: true,
            expiresAt: isForGood ? nil : firstNight.days(120),
            updatedAt: min(
                customer.receipts.first?.storedAt ?? firstNight.days(-9),
                firstNight.days(-9)))
    }
}
