/// The version of Galley. The clients, the coordinator and the workers of one pool must have the same.
public enum Version {
  public static let current = "0.5.0"
}
