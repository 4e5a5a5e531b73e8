/// A column chart over time as inline SVG: the series side by side, with a scale, lines, dates
/// and values. Places are percentages across and pixels down: texts keep their size at any width.
struct ColumnChart {
    let title: String
    let labels: [String]
    let series: [[Double]]
    let shown: (Double) -> String

    private static let height = 216.0
    private static let base = 186.0
    private static let room = 158.0
    /// The narrowest page has so many pixels for the columns.
    private static let narrowest = 270.0
    private static let pixelsOfADigit = 6.6

    private var scale: ChartScale {
        let values = series.joined()
        let isWhole = values.allSatisfy { $0 == $0.rounded() }
        return ChartScale(to: values.max() ?? 0, least: isWhole ? 1 : 0)
    }

    private var step: Double { 100 / Double(labels.count) }
    private var thickness: Double { min(step * 0.8, 8) / Double(series.count) }

    var html: HTML {
        guard let first = labels.first, let last = labels.last, (series.joined().max() ?? 0) > 0
        else { return HTML(markup: "<p>\(HTML.escaped(title)): nothing to show.</p>") }
        let size = "height=\"\(Int(Self.height))\""
        return HTML(
            markup: "<div class=\"chart\"><svg class=\"scale\" \(size) aria-hidden=\"true\">"
                + marks.map(\.number).joined()
                + "</svg><svg class=\"columns\" \(size) role=\"img\" aria-label=\""
                + "\(HTML.escaped(title)), from \(HTML.escaped(first)) to \(HTML.escaped(last))\">"
                + marks.map(\.line).joined() + bars + dates + values + "</svg></div>")
    }

    private var marks: [(number: String, line: String)] {
        scale.marks.map { mark in
            let y = Self.tenths(Self.base - mark / scale.top * Self.room)
            let isBase = mark == 0
            return (
                "<text x=\"100%\" y=\"\(y)\" dy=\"4\" text-anchor=\"end\">"
                    + "\(HTML.escaped(ChartScale.text(mark)))</text>",
                "<line class=\"\(isBase ? "axis" : "grid")\" x1=\"0\" x2=\"100%\" y1=\"\(y)\""
                    + " y2=\"\(y)\"/>"
            )
        }
    }

    // MARK: Columns

    private struct Bar {
        let series: Int
        let index: Int
        let value: Double
        /// In percent.
        let left: Double
        /// In pixels.
        let top: Double
    }

    private var all: [Bar] {
        series.enumerated().flatMap { number, values in
            values.enumerated().filter { $0.element > 0 }.map { index, value in
                Bar(
                    series: number, index: index, value: value,
                    left: (Double(index) + 0.5) * step
                        + (Double(number) - Double(series.count) / 2) * thickness,
                    top: Self.base - max(1, value / scale.top * Self.room))
            }
        }
    }

    private var bars: String {
        all.map { bar in
            "<rect class=\"s\(bar.series)\" x=\"\(Self.tenths(bar.left))%\""
                + " y=\"\(Self.tenths(bar.top))\" width=\"\(Self.tenths(thickness))%\""
                + " height=\"\(Self.tenths(Self.base - bar.top))\"><title>"
                + HTML.escaped(labels[bar.index] + ": " + shown(bar.value)) + "</title></rect>"
        }.joined()
    }

    // MARK: Texts

    private static let mostDates = 7

    /// All where there is room, else the first, the last and those between; a narrow page shows
    /// fewer.
    private var dates: String {
        let last = labels.count - 1
        // Of four dates on a narrow page, the second would touch the first.
        let few: Set = labels.count == 4 ? [0, last] : [0, last / 2, last]
        let quarters =
            labels.count <= Self.mostDates
            ? Set(labels.indices).subtracting(few) : [last / 4, last - last / 4]
        return few.union(quarters).sorted().map { index in
            let x = (Double(index) + 0.5) * step
            let isQuarter = quarters.contains(index)
            return "<line class=\"axis\" x1=\"\(Self.tenths(x))%\" x2=\"\(Self.tenths(x))%\""
                + " y1=\"\(Int(Self.base))\" y2=\"\(Int(Self.base) + 5)\"/>"
                + text(labels[index], at: x, y: Self.base + 20, isQuarter ? "quarter" : "day")
        }.joined()
    }

    /// The value above each column, where all have room on the narrowest page; else above the
    /// greatest, and the last if it is far from that one.
    private var values: String {
        let widest = all.map { Double(shown($0.value).count) }.max() ?? 0
        let width = (widest * Self.pixelsOfADigit + 4) / Self.narrowest * 100
        let chosen: [Bar]
        if Double(series.count) * width <= step, thickness >= width || series.count == 1 {
            chosen = all
        } else {
            let greatest = all.max { $0.value < $1.value }
            let last = all.max { $0.left < $1.left }
            chosen = [greatest, last].compactMap { $0 }.enumerated().filter { number, bar in
                number == 0 || bar.left - (greatest?.left ?? 0) > width
            }.map(\.element)
        }
        return chosen.map { bar in
            text(
                shown(bar.value), at: bar.left + thickness / 2, y: bar.top - 5, "value")
        }.joined()
    }

    /// A text in the middle of `x`, or at the edge that is too near.
    private func text(_ text: String, at x: Double, y: Double, _ name: String) -> String {
        let half = Double(text.count) * Self.pixelsOfADigit / 2 / Self.narrowest * 100
        let (place, anchor) =
            x < half
            ? ("0", "start") : x > 100 - half ? ("100%", "end") : (Self.tenths(x) + "%", "middle")
        return "<text class=\"\(name)\" x=\"\(place)\" y=\"\(Self.tenths(y))\""
            + " text-anchor=\"\(anchor)\">\(HTML.escaped(text))</text>"
    }

    static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
