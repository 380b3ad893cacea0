/** A certificate for servers of tests on 127.0.0.1, which nobody trusts who was not told to. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './clean-up.ts'

export interface Certificate {
  /** PEM. */
  key: string
  cert: string
  /** The file of the certificate, for NODE_EXTRA_CA_CERTS. */
  path: string
}

/** `address`: an IP address that it is valid for. */
export function newCertificate(address = '127.0.0.1'): Certificate {
  const folder = temporaryFolder()
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const wanted = ['-subj', '/CN=test', '-addext', `subjectAltName=IP:${address}`, '-days', '2', '-nodes']
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  execFileSync('openssl', ['req', '-x509', ...algorithm, ...wanted, '-keyout', key, '-out', path], { stdio: 'pipe' })
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(path, 'utf8'), path }
}
