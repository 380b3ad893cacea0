package a.b;

import java.util.*;

/** A sample. class Fake {} */
@Deprecated
@SuppressWarnings({"unchecked", "class AlsoFake {}"})
public abstract class Sample<T extends Comparable<? super T>> extends Base<T> implements Runnable {
    public static final int LIMIT = 3;
    private final Map<String, List<T>> byName = new HashMap<>(), other = null;
    static { System.out.println("void fake() {}"); }

    public Sample() { this(null); }

    protected <X> Sample(X x) throws IllegalStateException {}

    @Override
    public void run() {
        Runnable r = () -> { int x = 1; };
        new Thread() { @Override public void start() {} }.start();
        class Local { void inLocal() {} }
        // void inComment() {}
    }

    abstract int overloaded(int a);
    int overloaded(String a, int... more)[] { return null; }
    <K, V> Map<K, ? extends V> generic(
            K k,
            final V v) {
        return null;
    }

    interface Inner { default void d() {} void e(); int CONST = 1; }
    enum Kind implements Inner { A { public void e() {} }, B(1); Kind(int... x) {} public void e() {} }
    record Point(int x, int y) { Point { if (x < 0) throw new Error(); } static Point zero() { return new Point(0, 0); } }
    @interface Marker { String value() default "x"; int[] numbers() default {}; }
    static class Nested { class Deeper { String text = """
        class InText { void method() {} }
        """; } }
    sealed interface Shape permits Circle {}
    final class Circle implements Shape {}
}

class Second {}
