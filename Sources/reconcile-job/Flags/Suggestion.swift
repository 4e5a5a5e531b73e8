enum Suggestion {
    /// The name with the smallest edit distance, or one that begins with `word`; nil for none.
    static func nearest(to word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        let ranked = names.map { (name: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        if best.distance <= max(1, best.name.count / 3) { return best.name }
        return word.count >= 3 ? names.first { $0.hasPrefix(word) } : nil
    }

    /// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let change = left[row] == right[column] ? 0 : 1
                var best = min(
                    last[column] + change, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
