package a.b
// class Fake
/** A sample. */
@Serializable
data class Sample<T : Any>(val x: Int, private var y: String = "class InString") : Base(), Other {
    companion object {
        const val K = 1
        fun make(): Sample<Int> = Sample(1)
    }
    init { println("fun fake() {}") }
    val z: Int get() = 3
    constructor(a: Int) : this(a, "")
    suspend fun <R> go(
        a: R,
        b: (Int) -> Unit = {},
    ): R where R : Any {
        fun inner() {}
        val lambda = { q: Int -> q }
        val o = object : Runnable { override fun run() {} }
        return a
    }
    override fun toString() = """
        fun inRaw() {}
    """
    inner class Nested { fun deep() {} }
    enum class Kind(val n: Int) { A(1), B(2); fun label() = name }
    interface Thing { fun act(); val size: Int }
}
sealed class Result { object Empty : Result(); class Full(val v: Int) : Result() }
object Single { fun single() {} }
fun String.extension(): Int = 3
infix fun <T> List<T>.zipTo(other: List<T>) = this
typealias Names = List<String>
operator fun Sample<Int>.plus(o: Int) = this
annotation class Marker(val value: String)
fun interface Callback { fun call(x: Int) }
@JvmInline value class Id(val raw: String)
const val TOP = 4
