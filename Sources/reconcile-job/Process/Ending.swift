internal import AppStoreSimulator
internal import Reconcile

/// The process's exit status and its last line on stderr, which says what happened and what to do.
/// Thrown to end the process early.
struct Ending: Error, Equatable {
    let exit: ExitCode
    let message: String

    init(_ exit: ExitCode, _ message: String) {
        self.exit = exit
        self.message = message
    }

    init(_ error: any Error) {
        switch error {
        case let ending as Ending: self = ending
        case let error as ReportError: self.init(error.exit, error.description)
        case let error as DatabaseError: self.init(error.exit, error.description)
        case let error as UnreadableReport: self.init(.unreadableData, error.description)
        case let error as SimulatorError: self.init(.unavailable, error.description)
        case let error as WorkerCutOff: self.init(.unavailable, error.description)
        case let error as ValidationFailure:
            self.init(error.exit, error.description)
        case let error as ControlsError: self.init(.broken, error.description)
        case let error as MoneyTally.Unsummable: self.init(.broken, error.description)
        default: self.init(.broken, "\(error). Please report this line.")
        }
    }
}

extension Ending {
    /// Of a run whose reports could not be published, or not be recorded as published.
    init(ofRun error: ReportError) {
        let state =
            error.isVisible ? "The run is not recorded as published." : "Nothing was published."
        let next = error.exit == .broken ? "" : " Then run again: no request is repeated."
        self.init(error.exit, "\(state) \(error)\(next)")
    }
}

extension ValidationFailure {
    fileprivate var exit: ExitCode {
        switch cause {
        case .clock: .configuration
        case .shortage: .shortage
        case .server: .unavailable
        }
    }
}

extension ReportError {
    var exit: ExitCode {
        switch reason {
        case .cannotCreate(let code) where ReportError.isShortage(code): .shortage
        case .writableByOthers, .ownedByAnother: .notPermitted
        case .cannotCreate, .noLinks, .replaced, .removed, .occupied, .unknownGroup, .cannotGive,
            .cannotGiveToOwner, .cannotRemove:
            .cannotCreateReports
        case .writeFailed, .contentMismatch: .inputOutput
        case .doesNotTie, .otherBytes: .broken
        }
    }
}

extension DatabaseError {
    fileprivate var exit: ExitCode {
        switch reason {
        case .unreachable, .noDatabase, .standby, .readOnly, .cancelled, .viewsLocked:
            .unavailable
        case .loginRefused, .accessDenied, .rowsHidden, .writableRole: .notPermitted
        case .unusableAddress, .pooled, .notMigrated, .schemaNewer, .migrationChanged:
            .configuration
        case .sourceData, .encoding: .unreadableData
        case .notFound, .refused, .notReplayable: .usage
        case .unknown: .unknownID
        case .locked, .notOpen: .locked
        case .foreignServer: isPassing ? .unavailable : .unreadableData
        case .rejected: isPassing || isConflict ? .unavailable : .broken
        }
    }
}
