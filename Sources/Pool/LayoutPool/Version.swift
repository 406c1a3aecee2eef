/// Galley's version. Clients, coordinator and workers of one pool must be of the same.
public enum Version {
  public static let current = "0.4.0"
}
