/// HTML whose text is already escaped.
struct HTML {
    var text: String

    init(markup: String) { text = markup }

    /// Escapes `plain`, so that it can end neither its element nor its attribute.
    init(_ plain: String) { text = Self.escaped(plain) }

    static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.text + right.text) }

    /// Control characters, and those that change the direction of text, become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}"..."\u{9F}",
                "\u{200E}"..."\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The longest id that is shown whole, in characters.
    static let longestID = 64
    /// The longest sentence that is shown whole, in characters.
    static let longestSentence = 600

    /// Cuts the text after `most` characters and adds `…`. The files have the whole text.
    static func excerpt(_ text: String, most: Int = longestID) -> String {
        text.count > most ? text.prefix(most) + "…" : text
    }

    /// Allows a line break after each point of a name.
    static func breakable(_ name: String) -> HTML {
        HTML(markup: escaped(name).replacing(".", with: ".<wbr>"))
    }

    /// A figure with its source: a file, and a JSON Pointer as URI fragment (RFC 6901, section 6).
    static func figure(
        _ shown: String, from file: String = "summary.json", _ path: String...
    ) -> HTML { figure(shown, from: file, path) }

    static func figure(
        _ shown: String, from file: String = "summary.json", _ path: [String]
    ) -> HTML {
        let pointer = path.map {
            "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1").percentEncoded
        }
        let source = file + "#" + pointer.joined()
        return HTML(
            markup: "<span class=\"n\" data-source=\"\(source)\">\(whole(escaped(shown)))</span>")
    }

    /// Instants are not broken at the end of a line.
    private static func whole(_ escaped: String) -> String {
        guard escaped.utf8.count >= 20 else { return escaped }
        let instant = #/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z/#
        return escaped.replacing(instant) { "<time>\($0.output)</time>" }
    }

    struct Cell {
        enum Kind {
            case text
            case number
            /// Nothing, which a narrow screen leaves out.
            case dash
            case drawing
        }

        let html: HTML
        let kind: Kind

        init(_ html: HTML, _ kind: Kind = .text) {
            self.html = html
            self.kind = kind
        }

        init(_ plain: String) { self.init(HTML(plain)) }

        static func number(_ html: HTML) -> Cell { Cell(html, .number) }

        static let dash = Cell(HTML(markup: "–"), .dash)

        fileprivate var style: String {
            switch kind {
            case .text: ""
            case .number: " class=\"number\""
            case .dash: " class=\"number dash\""
            case .drawing: " class=\"drawing\""
            }
        }
    }

    /// Wider tables are printed on a narrow screen as a list for each row.
    private static let mostColumns = 3

    /// The first cell of a row is its heading.
    /// - Parameter sentences: one for each row, printed below it, or none at all.
    static func table(
        _ caption: String, _ header: [Cell], _ rows: [[Cell]], sentences: [HTML] = []
    ) -> HTML {
        let head = header.map { "<th scope=\"col\"\($0.style)>\($0.html.text)</th>" }.joined()
        let isStacked = header.count > mostColumns
        let body = rows.enumerated().map { index, cells in
            let first = cells.prefix(1).map { "<th scope=\"row\"\($0.style)>\($0.html.text)</th>" }
            let rest = zip(header, cells).dropFirst().map { name, cell in
                let label = isStacked ? " data-label=\"\(name.html.text)\"" : ""
                return "<td\(cell.style)\(label)>\(cell.html.text)</td>"
            }
            let row = (first + rest).joined()
            guard sentences.indices.contains(index) else { return "<tr>\(row)</tr>" }
            return "<tr class=\"explained\">\(row)</tr>\n<tr class=\"why\"><td colspan=\""
                + "\(header.count)\">\(sentences[index].text)</td></tr>"
        }
        return HTML(
            markup: "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
                + "\(escaped(caption))\"><table\(isStacked ? " class=\"stack\"" : "")>\n"
                + "<caption>\(escaped(caption))</caption>\n"
                + "<thead><tr>\(head)</tr></thead>\n<tbody>\n\(body.joined(separator: "\n"))\n"
                + "</tbody></table></div>")
    }
}
