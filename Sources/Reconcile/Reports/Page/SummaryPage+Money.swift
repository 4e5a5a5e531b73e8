extension SummaryPage {
    var moneyCards: HTML {
        let cards = MoneyTally.Bucket.allCases.map { bucket in
            "<section class=\"card \(bucket.rawValue)\"><h2>\(HTML.escaped(bucket.title))</h2>\n"
                + amounts(bucket) + withoutAmount(bucket)
                + (bucket == .refunded ? monthToDate : "") + "</section>"
        }
        return HTML(
            markup: "<div class=\"cards\">\n\(cards.joined(separator: "\n"))\n</div>\n"
                + "<p><small>Estimates, as of this night, never revenue: at the price that Apple"
                + " recorded of a transaction where an answer of the App Store Server API has one,"
                + " else at the list price. A leak or a debt is in every night's sum until it is"
                + " corrected: do not add nights up. It counts at most 365 days of each. Each"
                + " refund is in the sum of one night.</small></p>")
    }

    private func amounts(_ bucket: MoneyTally.Bucket) -> String {
        let lines = outline.rows("money", bucket.rawValue).map { row -> String in
            let path = [bucket.rawValue, row.name]
            let isCounted = outline.row(["money_counts"] + path) != nil
            let counted = isCounted ? figure(["money_counts"] + path).text : "no"
            let isOne = outline.row(["money_counts"] + path)?.count == 1
            let noun = (bucket == .refunded ? "refund" : "finding") + (isOne ? "" : "s")
            let moved = outline.row(["change", "money"] + path)?.value.amount
            let change = moved.map { moved in
                "<br>" + HTML.figure(signed(moved.grouped), ["change", "money"] + path).text
                    + " \(row.name) since the night before"
            }
            return "<p><strong>" + figure(["money"] + path).text
                + " \(row.name)</strong><br>from \(counted) \(noun)"
                + parts(of: path) + (change ?? "") + "</p>"
        }
        return lines.isEmpty ? "<p>Nothing to estimate.</p>" : lines.joined(separator: "\n")
    }

    /// What part of a sum is recorded, and what part is at list prices.
    private func parts(of sum: [String]) -> String {
        let parts = AmountBasis.allCases.compactMap { basis -> String? in
            let path = ["money_by", MoneyBreakdown.Dimension.basis.rawValue, basis.rawValue] + sum
            guard outline.row(path) != nil else { return nil }
            return figure(path).text + " " + basis.words
        }
        return parts.isEmpty ? "" : "<br>" + parts.joined(separator: ", ")
    }

    /// "731 of 1,643 findings carry an amount.", and why the others do not.
    private func withoutAmount(_ bucket: MoneyTally.Bucket) -> String {
        let count = summary.amountCount(bucket)
        guard count.findings > 0 else { return "" }
        let path = ["amount_counts", bucket.rawValue]
        let noun = bucket == .refunded ? "refunds" : "findings"
        let carried =
            "\n<p>\(figure(path + ["with_amount"]).text) of \(figure(path + ["findings"]).text)"
            + " \(noun) carry an amount."
        var lines = outline.rows("money_without_amount", bucket.rawValue, "by_reason").map { row in
            let why = Estimate.NoAmount(rawValue: row.name)?.sentence ?? row.label
            let figure = figure(
                ["money_without_amount", bucket.rawValue, "by_reason", row.name])
            return "<li>\(figure.text): \(HTML.escaped(why))</li>"
        }
        if count.neverPriced > 0 {
            let figure = figure(path + ["of_a_kind_without"])
            lines.append("<li>\(figure.text): of a kind that carries none</li>")
        }
        return carried + (lines.isEmpty ? "</p>" : " The others:</p><ul>\(lines.joined())</ul>")
    }

    /// The refunds of the month so far; nothing in a partial run.
    private var monthToDate: String {
        guard let month = summary.facts.monthToDate else { return "" }
        let sums = outline.rows("month_to_date", "money").map { row in
            "\(figure("month_to_date", "money", row.name).text) \(row.name)"
        }
        return "<p>In \(HTML.escaped(month.title)) so far:"
            + " \(figure("month_to_date", "refunds").text) refunds"
            + (sums.isEmpty ? "" : ", \(sums.joined(separator: ", "))")
            + ". <small>Days in California, all nights until this one.</small></p>"
    }
}
