import SeededRandom

/// What goes wrong in a run: some kinds of faults, and so many of them.
struct SimulatedFaults {
  enum Kind: CaseIterable {
    // Processes.
    case workerEnds, workerStops, workerIsSlow, workerReplaces, workerMisbehaves, workerLeaves, workerJoins
    case clientEnds, clientStops, clientIgnoresItsWindow
    case coordinatorEnds, machineFails, clockJumps
    // Network.
    case messageIsDuplicated, messageIsLost, messageIsDamaged, connectionEnds
    // Disk.
    case diskIsFull, diskIsSlow, diskIsFaulty, journalsAreUnreadable
    // Users.
    case batchIsCancelled
  }

  var left: Int
  let kinds: [Kind]

  init(_ random: inout SplitMix, keepsBatches: Bool) {
    var kinds: [Kind] = []
    for kind in Kind.allCases where random.below(3) == 0 { kinds.append(kind) }
    let ofDisk = [Kind.machineFails, .diskIsFull, .diskIsSlow, .diskIsFaulty, .journalsAreUnreadable]
    if !keepsBatches { kinds.removeAll(where: ofDisk.contains) }
    self.kinds = kinds
    left = kinds.isEmpty ? 0 : random.below(16)
  }
}
