extension CoordinatorCore {
  static let checkedJobs = 200
  package func checkInvariants(_ report: (String) -> Void) {}
}
