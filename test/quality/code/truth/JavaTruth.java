import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.util.*;
import javax.tools.*;

/** Prints a line for each file and fact of the files named on standard input, by the compiler: path, group, name and line between tabs. */
class JavaTruth {
  public static void main(String[] args) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    for (String path : new String(System.in.readAllBytes(), "UTF-8").split("\n")) {
      DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
      JavacTask task = (JavacTask) compiler.getTask(null, files, problems, List.of("-proc:none"), null, files.getJavaFileObjects(path));
      CompilationUnitTree unit = task.parse().iterator().next();
      if (problems.getDiagnostics().stream().anyMatch(one -> one.getKind() == Diagnostic.Kind.ERROR)) continue;
      out.println(path);
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      new TreeScanner<Void, String>() {
        void add(String group, CharSequence name, Tree tree) {
          long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
          out.println(path + "\t" + group + "\t" + name + "\t" + line);
        }
        @Override public Void visitClass(ClassTree tree, String around) {
          boolean isNamed = tree.getSimpleName().length() > 0;
          if (isNamed) add("class", tree.getSimpleName(), tree);
          return super.visitClass(tree, isNamed ? tree.getSimpleName().toString() : around);
        }
        @Override public Void visitMethod(MethodTree tree, String around) {
          add("function", tree.getReturnType() == null ? around : tree.getName(), tree);
          return super.visitMethod(tree, around);
        }
      }.scan(unit, "");
    }
    out.flush();
  }
}
