/// Makes strings of values. Equal values share one: most transactions are of one product.
struct AnswerTexts {
    let bytes: UnsafeBufferPointer<UInt8>
    private var recent: [(value: JSONValue, text: String)] = []
    private var next = 0

    private static let capacity = 4

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        recent.reserveCapacity(Self.capacity)
    }

    mutating func repeated(_ value: JSONValue) -> String {
        for index in recent.indices
        where recent[index].value.count == value.count
            && recent[index].value.equals(value, in: bytes)
        {
            return recent[index].text
        }
        let text = value.string(in: bytes)
        if recent.count < Self.capacity {
            recent.append((value, text))
        } else {
            recent[next] = (value, text)
            next = (next + 1) % Self.capacity
        }
        return text
    }

    func single(_ value: JSONValue?) -> String? { value.map { $0.string(in: bytes) } }
}
