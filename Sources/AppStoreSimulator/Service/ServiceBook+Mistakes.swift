extension ServiceBook {
    /// The rows with the mistake of this night in them.
    func mistaken(_ rows: [SimulatedEntitlement], user: String) -> [SimulatedEntitlement] {
        var rows = rows
        switch customer.flaw(on: night) {
        case .none, .fooled: break
        case .stillGranted: rows = rows.map(granted)
        case .notGranted: rows = customer.number % 2 == 0 ? rows.map(withdrawn) : []
        case .neverBought: rows.append(invented(for: user))
        case .neverPaid: rows += pioneering(user: user)
        case .duplicate: rows += rows.prefix(1).map { other(than: $0, isOlder: true) }
        case .wrongLevel: rows = rows.map { other(than: $0, isOlder: false) }
        case .wrongPeriod: rows = rows.map(ofAnotherPeriod)
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

    /// It missed the end: the row says what it said while all was well.
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

    /// Early, but not yet over.
    private func shortened(_ row: SimulatedEntitlement) -> Moment? {
        row.expiresAt.map { now + max(1, ($0.milliseconds - now.milliseconds) / 2) }
    }

    private func other(
        than row: SimulatedEntitlement, isOlder: Bool
    ) -> SimulatedEntitlement {
        let products = SimulatedApp.all.flatMap(\.products)
        guard let product = products.first(where: { $0.id == row.product }),
            let other = products.first(where: {
                $0.group == product.group && $0.group != nil && $0.level != product.level
            })
        else { return row }
        return changed(row) { row in
            row.product = other.id
            if isOlder { row.updatedAt = row.updatedAt.days(-1) }
        }
    }

    private func ofAnotherPeriod(_ row: SimulatedEntitlement) -> SimulatedEntitlement {
        let products = SimulatedApp.all.flatMap(\.products)
        guard let product = products.first(where: { $0.id == row.product }), product.group != nil,
            let other = products.first(where: {
                $0.group == product.group && $0.level == product.level && $0.id != product.id
            })
        else { return row }
        return changed(row) { $0.product = other.id }
    }

    private func pioneering(user: String) -> [SimulatedEntitlement] {
        guard let premium = SimulatedApp.atlas.premiumProduct else { return [] }
        return [
            SimulatedEntitlement(
                id: "", user: user, product: premium, isActive: true, source: "legacy_paid",
                updatedAt: firstNight.days(-30))
        ]
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
