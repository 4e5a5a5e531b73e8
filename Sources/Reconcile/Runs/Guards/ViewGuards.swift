extension GuardRule {
    private static let views: [(Figures.Name, what: String, view: String)] = [
        (.receipts, "receipts", "stored_receipts"), (.entitlements, "rows", "stored_entitlements"),
    ]

    static let empty = GuardRule(.empty, "guard-shrink") { night in
        guard night.settings.minimumShareOfLastRun != nil else { return [] }
        return views.filter { night.count($0.0) == 0 }.map {
            "There are no \($0.what) at all. Check that the view reconcile.\($0.view) reads the"
                + " service's tables."
        }
    }

    static let shrunk = GuardRule(.shrunk, "guard-shrink") { night in
        guard let least = night.settings.minimumShareOfLastRun, let last = night.earlier.first
        else {
            return []
        }
        return views.compactMap { name, what, view in
            let now = night.count(name)
            let before = Int(last.value(name))
            guard now > 0, before >= GuardSettings.leastDenominator,
                Double(now) * 100 < Double(before) * least
            else { return nil }
            return "There are \(now.grouped) \(what), and the last published run had"
                + " \(before.grouped): less than \(least.brief) %. Check that the view"
                + " reconcile.\(view) shows all of them."
        }
    }

    static let noAppStoreRows = GuardRule(.noAppStoreRows, "guard-app-store-rows") { night in
        let count = night.count(.appStoreRows)
        guard let least = night.settings.minimumAppStoreRows, count < least,
            night.count(.entitlements) > 0
        else { return [] }
        return [
            "\(count.grouped) of \(night.count(.entitlements).grouped) rows have source ="
                + " 'app_store', expected at least \(least.grouped). Rows with another source are"
                + " not judged by Apple's answers. Map the service's own names in"
                + " reconcile.stored_entitlements."
        ]
    }

    static let stale = GuardRule(.stale, "guard-freshness") { night in
        guard let most = night.settings.freshness,
            let newest = night.figures.all(.newestChange).first?.value
        else { return [] }
        let at = Instant(milliseconds: Int64(newest))
        guard at < night.run.asOf - most else { return [] }
        return [
            "The newest receipt or row is of \(at), over \(most.inDays.brief) days before"
                + " \(night.run.asOf). Check that the views do not read a copy that is no longer"
                + " updated."
        ]
    }

    static let noSecret = GuardRule(.noSecret, "guard-secrets") { night in
        guard let most = night.settings.maximumWithoutSecret, night.run.asksApple else {
            return []
        }
        return night.figures.all(.receiptsOfBundle)
            .filter { Int($0.value) > most && night.lacksSecret(BundleID($0.subject)) }
            .map { bundle, count in
                "\(Int(count).grouped) receipts of \(bundle.debugDescription) have no shared"
                    + " secret, without which Apple answers nothing about subscriptions. Add the"
                    + " app to the file of --shared-secrets."
            }
    }
}
