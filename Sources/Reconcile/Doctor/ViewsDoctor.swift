/// Checks the team's views: their columns, and whether their rows are plausible.
package struct ViewsDoctor: Sendable {
    let database: Database
    /// The apps with a key of the App Store Server API.
    let apps: APIApps

    package init(_ database: Database, apps: APIApps = APIApps()) {
        self.database = database
        self.apps = apps
    }

    package func diagnoses() async -> [Diagnosis] {
        let missing: [String]
        do throws(DatabaseError) {
            missing = try await database.views.check()
        } catch {
            guard case .sourceData(let problems) = error.reason else {
                return [.problem("views", error.description)]
            }
            return problems.map { .problem("views", $0 + Self.advice(for: $0)) }
        }
        let whole = ViewsDoctor(database.lacking(missing), apps: apps)
        let text =
            missing.isEmpty
            ? "all five exist with the right columns"
            : "the required ones exist with the right columns; "
                + missing.joined(separator: " and ") + " would add checks"
        var lines: [Diagnosis] = [.ok("views", text)]
        lines += await whole.receipts() + whole.entitlements() + whole.catalog()
        return lines
    }

    /// What to do about a missing view or a wrong column, where the problem does not say it.
    private static func advice(for problem: String) -> String {
        if problem.contains(" is missing.") {
            return " Create it as in the README's second step, or see `migrate"
                + " --with-reference-app`."
        }
        guard problem.contains(": write ") else { return "" }
        return " If `create or replace view` fails, `drop view` it first: it cannot change the"
            + " type of a column."
    }

    private func receipts() async -> [Diagnosis] {
        await Diagnosis.lines("receipts") {
            guard let found = try await database.survey.receipts() else { return [] }
            guard found.count > 0 else {
                return [.problem("receipts", "the view reconcile.stored_receipts shows no row.")]
            }
            var lines = [
                Diagnosis.ok(
                    "receipts",
                    "\(found.count.grouped), the newest of"
                        + " \(found.newest?.description ?? "no date")")
            ]
            lines += suspicion(
                "receipt dates", found.withOddDate, of: found.count,
                "have a stored_at before the App Store existed or in the future. Seconds read as"
                    + " milliseconds?")
            lines += suspicion(
                "receipt nulls", found.withNull + found.withoutUser, of: found.count,
                "have a null in a required column, or no user: they are never sent.")
            return lines + samples(try await database.survey.sampledReceipts())
        }
    }

    /// Whether Apple can be asked about it, or about the customer whom it names.
    private func isUsable(_ sample: SurveyStore.SampledReceipt) -> Bool {
        guard let data = sample.data else { return false }
        switch LocalReceipt(data) {
        case .sendable: return true
        case .signed(let text):
            return apps.contains(JWS(text)?.payload.bundle ?? sample.bundle)
        case .transaction: return apps.contains(sample.bundle)
        case .unusable: return false
        }
    }

    private func samples(_ sample: [SurveyStore.SampledReceipt]) -> [Diagnosis] {
        let unusable = sample.filter { !isUsable($0) }
        guard !unusable.isEmpty else {
            return [.ok("receipt data", "the newest \(sample.count) can be asked about")]
        }
        let isQuoted = unusable.contains { $0.data?.text.first == UInt8(ascii: "\"") }
        let isForAPI = unusable.contains { sample in
            switch sample.data.map({ LocalReceipt($0) }) {
            case .signed, .transaction: true
            case .sendable, .unusable, nil: false
            }
        }
        var remedy = "The column must hold the app receipt in base64, as the app sent it."
        if isQuoted {
            remedy =
                "They are in quotation marks: of a jsonb column, read a member with"
                + " receipt_data ->> 'its name', or the whole with receipt_data #>> '{}'; not with"
                + " ::text."
        } else if isForAPI {
            remedy =
                "verifyReceipt does not accept signed transactions of StoreKit 2. Give --api-keys"
                + " with a key of the app: the App Store Server API is asked about them."
        }
        let text =
            "\(unusable.count) of the newest \(sample.count) are not receipts and cannot be sent."
            + " \(remedy)"
        return [
            unusable.count * 2 > sample.count
                ? .problem("receipt data", text) : .warning("receipt data", text)
        ]
    }

    private func entitlements() async -> [Diagnosis] {
        await Diagnosis.lines("entitlements") {
            guard let found = try await database.survey.entitlements() else { return [] }
            guard found.count > 0 else {
                return [
                    .problem("entitlements", "the view reconcile.stored_entitlements shows no row.")
                ]
            }
            var lines = [
                Diagnosis.ok(
                    "entitlements",
                    "\(found.count.grouped), the newest of"
                        + " \(found.newest?.description ?? "no date")")
            ]
            lines += suspicion(
                "entitlement dates", found.withOddDate, of: found.count,
                "have an impossible expires_at or updated_at. Seconds read as milliseconds?")
            lines += suspicion(
                "entitlement nulls", found.withNull, of: found.count,
                "have a null in a required column: they are not judged.")
            lines += sources(try await database.survey.sources(), found)
            lines += suspicion(
                "products", found.withoutProduct, of: found.ofAppStore,
                "have a product that is not in reconcile.catalog_products: most of them cannot be"
                    + " judged.")
            return lines
                + suspicion(
                    "rows without receipt", found.withoutReceipt, of: found.ofAppStore,
                    "are active rows of the App Store whose user has no receipt at all. Is user_id"
                        + " the same in both views?")
        }
    }

    private func sources(
        _ sources: [(source: String, count: Int)], _ found: SurveyStore.Entitlements
    ) -> [Diagnosis] {
        let list = sources.map { "\($0.source.debugDescription) \($0.count.grouped)" }
            .joined(separator: ", ")
        let known: Set = ["app_store", "legacy_paid"]
        guard found.ofAppStore > 0 else {
            return [
                .problem(
                    "sources",
                    "no row has source 'app_store', so none is judged by Apple's answers. The"
                        + " view shows \(list). Map the service's own names.")
            ]
        }
        let others = sources.filter { !known.contains($0.source) }.reduce(0) { $0 + $1.count }
        guard others * 2 > found.count else { return [.ok("sources", list)] }
        return [
            .problem(
                "sources",
                "\(Diagnosis.share(others, of: found.count)) rows have another source than"
                    + " app_store and legacy_paid and are not judged: \(list). Map the service's"
                    + " own names, leave rows of other stores out of the view, or raise"
                    + " --guard-not-judged. Else a run would be held.")
        ]
    }

    private func suspicion(
        _ name: String, _ count: Int, of all: Int, _ what: String
    ) -> [Diagnosis] {
        guard count > 0 else { return [] }
        let text = "\(Diagnosis.share(count, of: all)) \(what)"
        return [count * 2 > all ? .problem(name, text) : .warning(name, text)]
    }

    private func catalog() async -> [Diagnosis] {
        await Diagnosis.lines("catalogue") {
            let products = try await database.catalog.read().products.values
            guard !products.isEmpty else {
                return [
                    .problem("catalogue", "the view reconcile.catalog_products shows no product.")
                ]
            }
            let prices = products.compactMap { product -> (price: Double, currency: Currency)? in
                guard let price = product.listPrice.flatMap(Double.init),
                    let currency = product.currency.flatMap(Currency.init)
                else { return nil }
                return (price, currency)
            }
            var lines = [
                Diagnosis.ok(
                    "catalogue", "\(products.count) products, \(prices.count) of them priced")
            ]
            let unpriced = products.count - prices.count
            if unpriced > 0 {
                lines.append(
                    .warning(
                        "prices",
                        "\(Diagnosis.share(unpriced, of: products.count)) products have no price or"
                            + " no currency: their money is not estimated."))
            }
            // Nearly all prices have a fraction: 9.99, which in cents would be the whole 999.
            let whole = prices.filter {
                $0.currency.decimals > 0 && $0.price >= 49 && $0.price == $0.price.rounded()
            }
            let divisible = prices.filter { $0.currency.decimals > 0 }
            if !divisible.isEmpty, whole.count * 2 > divisible.count {
                lines.append(
                    .warning(
                        "prices",
                        "\(whole.count) of \(divisible.count) prices are whole numbers of 49 and"
                            + " more: they look like cents. list_price is in units: 9.99, not 999."
                            + " If they are right, ignore this warning."))
            }
            return lines
        }
    }
}
