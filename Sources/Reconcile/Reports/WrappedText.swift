extension String {
    /// Breaks the text into lines of at most `width` characters, anywhere, so that the end of a
    /// long id is kept. Continuation lines are indented.
    func broken(to width: Int) -> [String] {
        guard utf8.count > width, count > width else { return [self] }
        let indent = String(repeating: " ", count: min(prefix { $0 == " " }.count + 2, width / 2))
        var lines = [String(prefix(width))]
        var rest = dropFirst(width)
        while !rest.isEmpty {
            lines.append(indent + rest.prefix(width - indent.count))
            rest = rest.dropFirst(width - indent.count)
        }
        return lines
    }

    /// Breaks the text at spaces into lines of at most `width` characters, or one longer word.
    package func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
