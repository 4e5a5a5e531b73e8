/// A value of each source.
struct PerSource<Value> {
    private var verifyReceipt: Value
    private var serverAPI: Value

    init(_ value: (AnswerSource) -> Value) {
        verifyReceipt = value(.verifyReceipt)
        serverAPI = value(.serverAPI)
    }

    subscript(source: AnswerSource) -> Value {
        get {
            switch source {
            case .verifyReceipt: verifyReceipt
            case .serverAPI: serverAPI
            }
        }
        set {
            switch source {
            case .verifyReceipt: verifyReceipt = newValue
            case .serverAPI: serverAPI = newValue
            }
        }
    }
}

extension PerSource: Sendable where Value: Sendable {}
