/// The identity of a connection, as the coordinator's socket gives it.
public typealias PeerIdentity = [UInt8]

/// The SHA-256 of a program.
public typealias ProgramID = [UInt8]
