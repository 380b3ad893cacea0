// Prints a line for each file and fact of the files named on standard input, by the module go/ast: path, group, name and line between tabs.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

func main() {
	paths := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for paths.Scan() {
		path := paths.Text()
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		fmt.Fprintln(out, path)
		add := func(group string, name *ast.Ident, node ast.Node) {
			fmt.Fprintf(out, "%s\t%s\t%s\t%d\n", path, group, name.Name, positions.PositionFor(node.Pos(), false).Line)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				add("function", node.Name, node)
			case *ast.TypeSpec:
				add(groupOf(node), node.Name, node)
			case *ast.InterfaceType:
				for _, method := range node.Methods.List {
					for _, name := range method.Names {
						add("function", name, method)
					}
				}
			}
			return true
		})
	}
}

func groupOf(spec *ast.TypeSpec) string {
	switch spec.Type.(type) {
	case *ast.StructType, *ast.InterfaceType:
		if !spec.Assign.IsValid() {
			return "class"
		}
	}
	return "type"
}
