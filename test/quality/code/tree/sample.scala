package a.b
// class Fake
/** A sample. */
@deprecated("class Fake", "1")
case class Sample[T <: AnyRef](x: Int, y: String = "def fake = 1") extends Base with Other {
  val z = 3
  def go[R](a: R)(implicit b: Ordering[R]): R = {
    def inner() = 3
    val f = (q: Int) => q
    a
  }
  def abstractOne: Int
  type Out = Int
  private[b] lazy val lazily = """def inText = 1"""
  class Nested { def deep(): Unit = () }
  override def toString: String = s"class ${x}"
  def this(a: Int) = this(a, "")
  def +(other: Int): Int = other
}
object Sample {
  def apply(): Sample[String] = ???
  implicit class Ops(val s: String) extends AnyVal { def shout = s }
}
sealed trait Shape { def area: Double; def twice: Double = area * 2 }
case object Empty extends Shape
abstract class Animal(val name: String) { def speak(): String }
trait Monad[F[_]] {
  def flatMap[A, B](fa: F[A])(f: A => F[B]): F[B]
}
package object util { def helper(x: Int) = x }
