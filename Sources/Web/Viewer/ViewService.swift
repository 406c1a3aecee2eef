import HTTPServing
import ListTables
import Synchronization

/// What the page of `galley view` asks for: the list of the current revision, and the events that tell of a new one.
package final class ViewService: Sendable {
  /// What the user wants to see besides the tables.
  package struct Options: Sendable {
    /// Whether the page loads the images of the rows.
    package var loadsImages = false
    /// Whether the list is laid out again when its files change.
    package var watches = false
    /// The tables with which the list is compared.
    package var base: ViewedRun?
    /// The scroll that is simulated.
    package var replay: ViewedReplay?

    package init() {}
  }

  private struct State {
    var list: ViewedList
    /// The error of the files that the list is laid out from. The list is then that of the last good state.
    var problem: ViewedProblem?
  }

  private static let pages = EmbeddedPages("Web/Viewer/Pages")

  let options: Options
  private let state: Mutex<State>
  private let events = EventSource(history: ViewService.eventHistory)

  /// The number of events that a new page receives: the last list and its error.
  private static let eventHistory = 2

  /// - Parameters:
  ///   - problem: An error that leaves out a part of the list, such as its texts.
  ///   - revision: The first revision. It differs from the revisions of earlier programs, whose pages may be open.
  package init(
    _ run: ViewedRun, texts: ViewedTexts? = nil, problem: ViewedProblem? = nil, _ options: Options = Options(),
    revision: Int = 1
  ) {
    self.options = options
    state = Mutex(State(list: ViewedList(run, texts: texts, revision: revision, options), problem: problem))
  }

  // MARK: Changes

  /// Shows other tables, with a new revision.
  package func show(_ run: ViewedRun, texts: ViewedTexts?) {
    let (revision, wasWrong) = state.withLock { state in
      let wasWrong = state.problem != nil
      state.list.texts?.noteReplaced()
      state = State(
        list: ViewedList(run, texts: texts, revision: state.list.revision + 1, options), problem: nil)
      return (state.list.revision, wasWrong)
    }
    events.send(#"{"revision":\#(revision)}"#, event: "list")
    if let problem = texts?.problem {
      report(problem)
    } else if wasWrong {
      events.send("{}", event: "good")
    }
  }

  /// Reports an error of the files that the list is laid out from.
  package func report(_ problem: ViewedProblem) {
    state.withLock { $0.problem = problem }
    events.send(problem.json, event: "error")
  }

  /// Reports that the files have no error any longer, and that the list is the same.
  package func reportGood() {
    let wasWrong = state.withLock { state in
      defer { state.problem = nil }
      return state.problem != nil
    }
    if wasWrong { events.send("{}", event: "good") }
  }

  // MARK: Requests

  /// Returns what is done with a request. The function does not block.
  package func reply(to request: HTTPRequest) -> HTTPReply {
    let methods = request.path == ["events"] ? ["GET"] : ["GET", "HEAD"]
    guard methods.contains(request.method) else {
      return .response(Problem.method(allowed: methods.joined(separator: ", ")).response)
    }
    let (list, problem) = state.withLock { ($0.list, $0.problem) }
    let path = request.path
    switch (path.first, path.count) {
    case (nil, _): return .response(file("index.html") ?? Problem.notFound.response)
    case ("events", 1): return .events(events)
    case ("list.json", 1): return .response(.json(ListDocument.text(list, problem, options)))
    default:
      if path.count == 1, let response = file(path[0]) { return .response(response) }
    }
    do throws(Problem) {
      guard let route = try ViewRoute(path, QueryReader(request.query), list) else { throw .notFound }
      return .work { body, response in
        body.discard()
        route.respond(response)
      }
    } catch {
      return .response(error.response)
    }
  }

  /// Returns a file of the page, or nil if it has none of this name.
  private func file(_ name: String) -> HTTPResponse? {
    let images = options.loadsImages ? " https: http:" : ""
    return Self.pages.response(name, sources: "font-src 'self'; img-src 'self' data:\(images)")
  }
}
