import { readFileSync } from 'node:fs'

export interface Config {
  http: { port: number; bodyLimitKb: number }
  payments: { maxAttempts: number; firstDelaySeconds: number }
  stock: { holdMinutes: number }
}

/** Reads the settings; an environment variable such as SHOP_HTTP_PORT wins over the file. */
export function readConfig(path: string): Config {
  const flat = parse(readFileSync(path, 'utf8'))
  const number = (key: string, otherwise: number) =>
    Number(process.env[`SHOP_${key.toUpperCase().replace('.', '_')}`] ?? flat.get(key) ?? otherwise)
  return {
    http: { port: number('http.port', 8080), bodyLimitKb: number('http.body_limit_kb', 256) },
    payments: {
      maxAttempts: number('payments.max_attempts', 5),
      firstDelaySeconds: number('payments.first_delay_seconds', 60),
    },
    stock: { holdMinutes: number('stock.hold_minutes', 20) },
  }
}

function parse(text: string): Map<string, string> {
  const found = new Map<string, string>()
  let section = ''
  for (const line of text.split('\n')) {
    const [key = '', value = ''] = line.split(/:\s*/, 2)
    if (!line.startsWith(' ')) section = key
    else found.set(`${section}.${key.trim()}`, value)
  }
  return found
}
