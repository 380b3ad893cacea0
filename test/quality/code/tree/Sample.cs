using System;
namespace A.B
{
    /// <summary>A sample. class Fake { }</summary>
    [Serializable, Obsolete("class AlsoFake {}")]
    public abstract partial class Sample<T> : Base<T>, IDisposable where T : class, new()
    {
        public const int Limit = 3;
        private readonly Dictionary<string, List<T>> byName = new(), other;
        public event EventHandler<T> Changed;
        public string Name { get; set; } = "void Fake() {}";
        public int Computed => 1;
        public T this[int i] => default;
        static Sample() { }
        public Sample(int a) : base(a) { }
        ~Sample() { }
        [Test]
        public async Task<IList<T>> RunAsync<X>(X x, params int[] more) where X : struct
        {
            int Local(int y) => y;
            Func<int, int> f = z => z;
            var s = @"class InVerbatim { void M() {} }";
            var t = $"void {x}() {{ }}";
            // void InComment() {}
            return null;
        }
        protected abstract void Overloaded(string a);
        void Overloaded(int a) { }
        public static Sample<T> operator +(Sample<T> a, Sample<T> b) => a;
        void IDisposable.Dispose() { }
        internal class Nested { public enum Kind { A, B = 2 } }
        public static implicit operator int(Sample<T> s) => 1;
    }
    public interface IThing<in T> { void Do(T t); int Count { get; } }
    public struct Point { public int X, Y; public readonly double Length() => 0; }
    public record Person(string Name) { public void Hi() {} }
    public record struct Pair(int A, int B);
    public delegate void Handler(object sender);
    enum Top : byte { One }
    static class Extensions { public static int Size(this string s) => s.Length; }
}
