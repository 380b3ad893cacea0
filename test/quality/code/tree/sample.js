#!/usr/bin/env node
'use strict'
/* function commented() {} */
var legacy = function () {
  return 'class Fake {}'
}
exports.named = function named(a, b) { return a + b }
module.exports.arrow = (a) => a
Shape.prototype.area = function () { return 0 }
function Shape() {}
async function* stream(source) {
  for await (const chunk of source) yield chunk
}
const { a, b } = require('x')
const curry = (f) => (x) => (y) => f(x, y)
class Base {}
class Circle extends Base {
  #radius = 1
  static create = () => new Circle()
  get radius() { return this.#radius }
  set radius(value) { this.#radius = value }
  async *[Symbol.asyncIterator]() {}
  static async load() {}
  'quoted name'() {}
}
const methods = {
  start() { return function () {} },
  stop: function () {},
  'on-click': () => {},
  async *many() {},
}
;(function () {
  function hidden() { return `function ${'inTemplate'}() {}` }
  hidden()
})()
export default class Main { run() {} }
export const frozen = Object.freeze({ f: () => 1 })
let later
later = function () {}
