/// Charts as inline SVG, without a script. The figures are printed beside or below them as text.
enum Chart {
    static func bar(_ value: Double, of greatest: Double) -> HTML { bar([value], of: greatest) }

    /// A bar of several parts, one after the other.
    static func bar(_ parts: [Double], of greatest: Double) -> HTML {
        var left = 0.0
        let rects = parts.enumerated().map { number, value -> String in
            let width = greatest > 0 ? max(0, value / greatest) * 100 : 0
            defer { left += width }
            return width > 0
                ? "<rect class=\"a\(number)\" x=\"\(ColumnChart.tenths(left))\""
                    + " width=\"\(ColumnChart.tenths(width))\" height=\"10\"/>" : ""
        }
        return HTML(
            markup: "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\""
                + " aria-hidden=\"true\">\(rects.joined())</svg>")
    }

    /// A bar chart over time, with the series side by side, each with one value per label.
    /// - Parameter shown: the text of a value.
    static func columns(
        _ title: String, _ labels: [String], _ series: [[Double]],
        shown: @escaping (Double) -> String
    ) -> HTML {
        ColumnChart(title: title, labels: labels, series: series, shown: shown).html
    }

    static func legend(_ names: [String], highest: HTML) -> HTML {
        let parts = names.enumerated().map {
            "<span class=\"part\"><span class=\"key s\($0)\" aria-hidden=\"true\"></span> "
                + "\(HTML.escaped($1))</span>"
        }
        return HTML(
            markup: "<p class=\"legend\">\(parts.joined(separator: " "))"
                + " The highest column is \(highest.text).</p>")
    }

    /// What the parts of a bar are, by their shades.
    static func shades(_ names: [String]) -> HTML {
        let parts = names.enumerated().map {
            "<span class=\"part\"><span class=\"key a\($0)\" aria-hidden=\"true\"></span> "
                + "\(HTML.escaped($1))</span>"
        }
        return HTML(
            markup: "<p class=\"legend\">\(parts.joined(separator: " "))</p>")
    }

    static func figures(_ table: HTML) -> HTML {
        HTML(markup: "<details><summary>The figures</summary>\n\(table.text)\n</details>")
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
