import Foundation
import PoolClient
import PoolProtocol
import Testing

@testable import Gateway

/// Tests of the description of the routes against what the gateway reads and writes.
@Suite struct RoutesDescriptionTests {
  private typealias Object = [String: Any]

  private func object(_ value: Any?, _ path: String...) throws -> Object {
    try path.reduce(try #require(value as? Object)) { try #require($0[$1] as? Object) }
  }

  private func description() throws -> Object {
    let body = RoutesDescription.response(cells: ["posts"], needsToken: true).body
    return try object(JSONSerialization.jsonObject(with: Data(body)))
  }

  @Test func layoutsHaveTheParametersThatAreDescribed() throws {
    let document = try description()
    let route = try object(document, "paths", "/v1/layouts", "post")
    let references = try #require(route["parameters"] as? [[String: String]]).compactMap { $0["$ref"] }
    let parameters = try references.map { reference in
      try object(document, "components", "parameters", String(reference.split(separator: "/").last ?? ""))
    }
    let names = parameters.filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
    #expect(names.sorted() == LayoutsQuery.parameters.sorted())
  }

  @Test func theStateHasTheMembersThatAreDescribed() throws {
    var status = PoolStatus()
    (status.workers, status.batches, status.clients) = ([.init()], [.init()], [.init()])
    let state = try object(JSONSerialization.jsonObject(with: Data(try status.json().utf8)))
    let first = { (list: String) in (state[list] as? [Any])?.first }
    let schemas = try object(try description(), "components", "schemas")
    for (name, value) in [
      ("Status", state), ("Worker", first("workers")), ("Batch", first("batches")), ("Client", first("clients")),
      ("Metrics", state["metrics"]),
    ] {
      let members = try object(value).keys.sorted()
      #expect(try object(schemas, name, "properties").keys.sorted() == members, "\(name)")
      #expect(try #require(object(schemas, name)["required"] as? [String]).sorted() == members, "\(name)")
    }
  }
}
