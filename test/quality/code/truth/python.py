"""Prints a line of JSON for each file that is named on standard input: its functions and classes, by the module ast."""
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")
for path in sys.stdin.read().split("\n"):
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
    except (SyntaxError, ValueError, RecursionError, OSError):
        continue
    facts = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            group = "class" if isinstance(node, ast.ClassDef) else "function"
            line = min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])
            facts.append({"group": group, "name": node.name, "line": line})
    print(json.dumps({"path": path, "facts": facts}))
