enum LogValue {
    case text(String)
    case integer(Int)
    case decimal(Double)
    case null

    /// For text lines: quoted only if it could be misread otherwise.
    var asText: String {
        switch self {
        case .text(let text):
            text.isEmpty || text.contains(where: { " =\"\\".contains($0) }) || escaped != text
                ? "\"" + escaped + "\"" : text
        case .integer(let number): String(number)
        case .decimal(let number): String(number)
        case .null: "-"
        }
    }

    /// For a message, which is the rest of a text line.
    var asSentence: String {
        guard case .text(let text) = self else { return asText }
        return text.escapingControls()
    }

    var asJSON: String {
        switch self {
        case .text: "\"" + escaped + "\""
        case .integer(let number): String(number)
        case .decimal(let number): String(number)
        case .null: "null"
        }
    }

    /// The characters of a JSON string.
    private var escaped: String {
        guard case .text(let text) = self else { return asJSON }
        return text.escapingControls { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil }
    }
}
