/** TypeScript and JavaScript, by the compiler. */
import { readFileSync } from 'node:fs'
import { ts } from '@ts-morph/common'
import type { Fact, Group, Truth } from './truth.ts'

export const typescriptTruth: Truth = async (files) =>
  new Map(
    files.flatMap((file) => {
      const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
      // declared by the compiler, but not in its types
      const { parseDiagnostics } = source as unknown as { parseDiagnostics: unknown[] }
      return parseDiagnostics.length > 0 ? [] : [[file, factsOf(source)] as const]
    }),
  )

function factsOf(source: ts.SourceFile): Fact[] {
  const facts: Fact[] = []
  const add = (group: Group, name: ts.Node | undefined, node: ts.Node) => {
    if (name === undefined) return
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    facts.push({ group, name: nameOf(name.getText(source)), line: line + 1 })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      facts.push({ group: 'function', name: 'constructor', line: line + 1 })
    } else if (
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isMethodSignature(node) ||
      ts.isAccessor(node)
    ) {
      add('function', node.name, node)
    } else if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node)) {
      add('class', node.name, node)
    } else if (ts.isTypeAliasDeclaration(node)) add('type', node.name, node)
    else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) addValue(node.name, node.initializer, node)
    else if (ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) {
      if (!(node.initializer && ts.isClassExpression(node.initializer))) addValue(node.name, node.initializer, node)
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      if (ts.isIdentifier(node.left)) addValue(node.left, node.right, node)
      else if (ts.isPropertyAccessExpression(node.left)) addValue(node.left.name, node.right, node)
    } else if ((ts.isFunctionExpression(node) || ts.isClassExpression(node)) && node.name && !isNamedByParent(node)) {
      add(ts.isClassExpression(node) ? 'class' : 'function', node.name, node)
    }
    ts.forEachChild(node, visit)
  }
  const addValue = (name: ts.Node, value: ts.Expression | undefined, node: ts.Node) => {
    if (value === undefined) return
    if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) add('function', name, node)
    else if (ts.isClassExpression(value)) add('class', name, node)
  }
  visit(source)
  return facts
}

function isNamedByParent({ parent }: ts.Node): boolean {
  if (ts.isVariableDeclaration(parent)) return ts.isIdentifier(parent.name)
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return true
  if (!ts.isBinaryExpression(parent) || parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false
  return ts.isIdentifier(parent.left) || ts.isPropertyAccessExpression(parent.left)
}

function nameOf(text: string): string {
  return text.replace(/^(["'`])(.*)\1$/, '$2').replace(/\s+/g, ' ')
}
