import { escape } from './escape.js'

/** Loops first, then raw values, then escaped ones: the other order would see three braces as two. */
export function fill(template, values) {
  return template
    .replace(/\{% each (\w+) %\}([\s\S]*?)\{% end %\}/g, (_, name, inner) =>
      (values[name] ?? []).map((one) => fill(inner, { ...values, ...one })).join(''),
    )
    .replace(/\{\{\{ (\w+) \}\}\}/g, (_, name) => values[name] ?? '')
    .replace(/\{\{ (\w+) \}\}/g, (_, name) => escape(values[name] ?? ''))
}
