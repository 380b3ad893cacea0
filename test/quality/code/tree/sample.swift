// class Fake {}
import Foundation
/// A sample.
@available(iOS 13, *)
public final class Sample<T>: Base, Other where T: Comparable {
    static let limit = 1
    private(set) var y: Int { get { 3 } set { } }
    init?(a: Int, _ b: String = "func fake() {}") { }
    convenience init() { self.init(a: 1)! }
    deinit { }
    func go<R>(a: R, then: @escaping (R) -> Void) async throws -> R {
        func inner() { }
        let closure = { (x: Int) in x }
        return a
    }
    override class func make() -> Sample { fatalError() }
    subscript(i: Int) -> Int { 3 }
    enum Kind: String, CaseIterable { case a, b = "x"; func label() -> String { rawValue } }
    struct Nested { let a: Int; mutating func change() { } }
}
struct Point: Equatable {
    var x = 0
    static func == (a: Point, b: Point) -> Bool { true }
}
protocol Shape: AnyObject {
    associatedtype Item
    var size: Int { get }
    func area(of x: Int) -> Double
    init(x: Int)
}
extension Sample: Shape where T == Int {
    func extended() { }
}
actor Counter { func increment() { } }
typealias Names = [String]
func top(_ a: Int...) -> some View { """
func inText() {}
""" }
indirect enum Tree { case leaf(Int), node(Tree, Tree) }
