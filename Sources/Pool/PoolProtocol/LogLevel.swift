/// The importance of a line that a core wants logged.
public enum LogLevel: Sendable {
  case info, warning, error
}
