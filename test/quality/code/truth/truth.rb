# Prints a line for each file and fact of the files named on standard input, by Ruby's own parser: path, group, name and
# line between tabs.
Node = RubyVM::AbstractSyntaxTree::Node
$VERBOSE = nil

# Whether it is Struct.new, Class.new or Data.define, with or without a block.
def makes_class?(node)
  node = node.children[0] if node.is_a?(Node) && node.type == :ITER
  return false unless node.is_a?(Node) && node.type == :CALL
  receiver, method = node.children
  receiver.type == :CONST && %i[Struct Class Data].include?(receiver.children[0]) && %i[new define].include?(method)
end

def visit(node, path)
  add = ->(group, name) { puts [path, group, name, node.first_lineno].join("\t") }
  case node.type
  when :DEFN then add["function", node.children[0]]
  when :DEFS then add["function", node.children[1]]
  when :CLASS then add["class", node.children[0].children.last]
  when :CDECL then add["class", node.children[0]] if node.children[0].is_a?(Symbol) && makes_class?(node.children.last)
  end
  node.children.each { |child| visit(child, path) if child.is_a?(Node) }
end

STDIN.each_line(chomp: true) do |path|
  tree = RubyVM::AbstractSyntaxTree.parse_file(path)
  puts path
  visit(tree, path)
rescue SyntaxError, ArgumentError, EncodingError
  next
end
