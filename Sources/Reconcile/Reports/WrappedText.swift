extension String {
    /// The same in lines of at most `width` characters, broken wherever it must be: of the rest of
    /// a long id nothing is lost. They stand further in than the first.
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

    /// Lines of at most `width` characters, broken at spaces. A longer word has a line of its own.
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
