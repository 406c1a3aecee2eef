import ArgumentParser
import Foundation

// Options given as GALLEY_… variables come before those on the command line, which then have the last word.
Program.run(Array(CommandLine.arguments.dropFirst()))
