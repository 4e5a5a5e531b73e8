/// What one process did for a run.
package struct RunEffort: Sendable {
    /// Its number among the workers.
    package var worker: Int
    /// Nil when it asked Apple hardly anything.
    package var pace: RunPace?
    /// Why most of its calls that brought no answer did not, and what to do; nil: each brought one.
    package var foremostFailure: String?
}
