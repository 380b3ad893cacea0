/** Secrets that sign requests of the service after Standard Webhooks (https://www.standardwebhooks.com). */

const prefix = 'whsec_'
/** Bytes, as the standard says. */
const least = 24
const most = 64

export const webhookSecretShape = `${prefix} and the base64 of ${least} to ${most} random bytes: make one with \`echo ${prefix}$(openssl rand -base64 32)\``

export function isWebhookSecret(secret: string): boolean {
  const bytes = Buffer.from(secret.slice(prefix.length), 'base64')
  const isExact = secret === `${prefix}${bytes.toString('base64')}`
  return isExact && bytes.length >= least && bytes.length <= most
}

/** The texts to redact: with and without the prefix. */
export function shownFormsOf(secret: string): string[] {
  return [secret, secret.slice(prefix.length)]
}
