/**
 * Passwords that people choose and note: `password: sommer2024`, `pwd=bluefish42`. They are words with digits, so they do
 * not look random. Behind the plain label of a password, letters and digits prove enough, unless they name something else.
 */

const label =
  /^[_-]?(?:passw(?:or[dt])?d?|passphrase|kennwort|contraseña|pwd|pass)["'`\])*\\]{0,4}[ \t]{0,8}[:=][ \t*]{0,10}$/i

/** Whether this, a name with the sign behind it, labels the password itself: `Password:`, not `password_length:` or `=>`. */
export function isPasswordLabel(nameAndSign: string): boolean {
  return label.test(nameAndSign)
}

const leastLength = 8
/**
 * Hyphens are left out: behind the label, `WPA2-Enterprise` or `90-day` is more frequent than a password. Other signs occur
 * in paths, addresses, hashes and code. Passwords with them are found if they look random.
 */
const lettersAndDigits = /^(?=.*\p{L})(?=.*\d)[\p{L}\d_.!?#+]+$/u

export function isNotedPassword(value: string): boolean {
  return value.length >= leastLength && lettersAndDigits.test(value) && !harmless.some((pattern) => pattern.test(value))
}

/** What is done with passwords: `$2b$12$…`, `argon2id`, `sha512crypt`, `utf8mb4_bin`, `OAuth2.0`, `1Password`. */
const term =
  /^(?:\$(?:\d|2[abxy]|y|argon2\w{0,2}|scrypt)\$|argon2|[bsy]crypt|pbkdf\d|hmac|sha\d|md\d|blake\d|aes\d|rsa\d|pkcs|base\d|utf\d|varchar|oauth\d|saml\d|ldap|tls|rfc|iso\d|http|keepass|1password)/i

export function isTerm(value: string): boolean {
  return term.test(value)
}

const harmless = [
  term,
  // `16characters`, `90days`
  /^\d{1,3}(?:char|zeichen|stell|digit|ziffer|letter|buchstabe|bit|byte|round|runde|day|tag|week|woche|month|monat|year|jahr)/i,
  // a version, a host or a file
  /^v?\d+\.\d|\.\p{L}{2,}/u,
  // examples: `passwordFor30001`, and names in code: `DB3_PASSWORD`, `kasse_db3`, `user2Password`
  /passw|kennwort|secret/i,
  /^[A-Z\d]+(?:_[A-Z\d]+)+$|^[a-z\d]+(?:_[a-z\d]+)+$|^[a-z]+\d*(?:[A-Z][a-z]+\d*)+$/,
  // hashes
  /^[\da-f]{32,}$/i,
]
