/// Charts as inline SVG, without a script. The figures are printed beside or below them as text.
enum Chart {
    static func bar(_ value: Double, of greatest: Double) -> HTML {
        let part = greatest > 0 ? max(0, value / greatest) * 100 : 0
        return HTML(
            markup: "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\""
                + " aria-hidden=\"true\"><rect width=\"\(tenths(part))\" height=\"10\"/></svg>")
    }

    /// A bar chart over time, with the series side by side, each with one value per label.
    /// - Parameter shown: the tooltip of a column.
    static func columns(
        _ title: String, _ labels: [String], _ series: [[Double]], shown: (Double) -> String
    ) -> HTML {
        let greatest = series.joined().max() ?? 0
        guard let first = labels.first, let last = labels.last, greatest > 0 else {
            return HTML(markup: "<p>\(HTML.escaped(title)): nothing to show.</p>")
        }
        let width = 900.0
        let height = 160.0
        let step = width / Double(labels.count)
        let thickness = min(step * 0.8, 40) / Double(series.count)
        var bars = ""
        for (number, values) in series.enumerated() {
            for (index, value) in values.enumerated() where value > 0 {
                let tall = max(1, value / greatest * height)
                let left =
                    (Double(index) + 0.5) * step
                    + (Double(number) - Double(series.count) / 2) * thickness
                let top = tenths(height - tall)
                bars +=
                    "<rect class=\"s\(number)\" x=\"\(tenths(left))\" y=\"\(top)\""
                    + " width=\"\(tenths(thickness))\" height=\"\(tenths(tall))\">"
                    + "<title>\(HTML.escaped(labels[index] + ": " + shown(value)))</title></rect>"
            }
        }
        return HTML(
            markup: "<svg class=\"columns\" viewBox=\"0 0 900 190\" role=\"img\" aria-label=\""
                + "\(HTML.escaped(title)), from \(HTML.escaped(first)) to \(HTML.escaped(last))\">"
                + "\(bars)<path class=\"axis\" d=\"M0 160.5H900\"/>"
                + "<text x=\"0\" y=\"182\">\(HTML.escaped(first))</text>"
                + "<text x=\"900\" y=\"182\" text-anchor=\"end\">\(HTML.escaped(last))</text></svg>"
        )
    }

    static func legend(_ names: [String], highest: HTML) -> HTML {
        let parts = names.enumerated().map {
            "<span class=\"key s\($0)\" aria-hidden=\"true\"></span> \(HTML.escaped($1))"
        }
        return HTML(
            markup: "<p class=\"legend\">\(parts.joined(separator: " &nbsp; "));"
                + " the highest column is \(highest.text)</p>")
    }

    static func figures(_ table: HTML) -> HTML {
        HTML(markup: "<details><summary>The figures</summary>\n\(table.text)\n</details>")
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Money {
    /// For the length of a bar.
    var approximately: Double { Double(text) ?? 0 }

    /// `1,234.50`
    var grouped: String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts[0].drop { $0 == "-" }
        var groups: [Substring] = []
        var rest = whole
        while !rest.isEmpty {
            groups.insert(rest.suffix(3), at: 0)
            rest = rest.dropLast(3)
        }
        let fraction = parts.count > 1 ? "." + parts[1] : ""
        return (text.hasPrefix("-") ? "−" : "") + groups.joined(separator: ",") + fraction
    }
}
