# class Fake; end
require 'set'
module Outer
  LIMIT = 3
  # A stack.
  class Stack < Base
    include Comparable
    attr_accessor :items, :size
    def initialize(items = [], *rest, key: 1, **more, &block)
      @items = items
    end
    def self.build = new
    class << self
      def create; end
    end
    def push(item); @items << item; self; end
    def <=>(other) = size <=> other.size
    def empty? = items.empty?
    def name=(value)
      @name = value
    end
    def [](index) items[index] end
    private def hidden
      text = <<~TEXT
        def in_heredoc
        end
      TEXT
      "def in_string; end"
    end
    class Inner::Deep
      def deep; lambda { |x| x }; end
    end
  end
end
class Outer::Other
  def method_missing(name, *args) = super
end
Point = Struct.new(:x, :y) do
  def length = 0
end
def top_level(a, b) a + b end
=begin
def in_block_comment
end
=end
Error = Class.new(StandardError)
