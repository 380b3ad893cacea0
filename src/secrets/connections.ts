/** Connection strings that are not urls: ADO.NET, ODBC, JDBC, libpq and redis clients. */
import { isHex, looksRandom } from './random.ts'
import type { Family, Finding } from './rules/rule.ts'

const oracleBegin = 'jdbc:oracle:[a-z]{3,5}:'

export const oracle: Family = {
  begins: oracleBegin,
  read: (text, at, begin) => inOracle(text, at + begin.length),
}

/** Characters before the password in which the other parts are searched. */
const reach = 300
const otherPart =
  /(?:^|[;,?&\s"'])(?:server|data source|host|hostname|address|user|user ?id|username|uid|initial catalog|database|dbname|driver)[ ]?=|:\d{2,5},|jdbc:/i
const hostPart = /(?:^|[;,?&\s"'])(?:server|data source|host|hostname|address)[ ]?=[ ]?(?:tcp:)?([^;,\s&]{1,200})/i
const userPart = /(?:^|[;,?&\s"'])(?:user|user ?id|username|uid)[ ]?=[ ]?([^;,\s&]{1,200})/i
const pairValue = /(["']?)([^\s;&"'<>`]{3,256})\1/y

/** The password that begins at `from`, if its name at `at` belongs to a connection string. */
export function inPairs(text: string, at: number, from: number): Finding | undefined {
  const before = text.slice(Math.max(0, at - reach), at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (!/[;,&\s]/.test(line) || !otherPart.test(line)) return undefined
  pairValue.lastIndex = from
  const password = pairValue.exec(text)?.[2]
  // not a password but a call, an index, or the digest of a file
  if (password === undefined || /[({[]/.test(password) || isHash(password)) return undefined
  // in the arguments of a function, a value without quotes is a variable
  if (/,\s?$/.test(line) && !looksRandom(password)) return undefined
  const [user = '', host = ''] = [userPart.exec(line)?.[1], hostPart.exec(line)?.[1]]
  return { kind: 'connection', at: from, value: password, form: 'chosen', user, host }
}

function isHash(password: string): boolean {
  return isHex(password) && password.length >= 40
}

const oracleLogin = /([^\s/@:"']{1,64})\/([^\s/@"']{1,64})@([^\s"']{1,200})/y

function inOracle(text: string, from: number): Finding | undefined {
  oracleLogin.lastIndex = from
  const [, user, password, host] = oracleLogin.exec(text) ?? []
  if (user === undefined || password === undefined || host === undefined) return undefined
  return {
    kind: 'connection',
    at: from + user.length + 1,
    value: password,
    form: 'chosen',
    user,
    host: host.replace(/^\/\//, ''),
  }
}
