import { X509Certificate, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { readOwnFile, writeOwnFile } from './own-file.ts'
import { createCertificate } from './self-signed.ts'
import type { ServerFolder } from './server-folder.ts'
import type { Settings } from './server-settings.ts'
import { toStartProblem, startError } from './start-problem.ts'

export interface ListenOptions {
  readonly address: string
  readonly certificateFile?: string | undefined
  readonly keyFile?: string | undefined
  readonly names?: readonly string[]
}

const DAY_MS = 24 * 60 * 60 * 1000
const RENEW_DAYS = 30
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/

const isLoopbackAddress = (address: string): boolean => LOOPBACK.test(address)

export function prepareTls(folder: ServerFolder, listening: ListenOptions): Settings {
  const { address, certificateFile, keyFile } = listening
  const isHere = isLoopbackAddress(address)
  if (isHere && certificateFile === undefined) return {}
  try {
    const { certificate, key } =
      certificateFile !== undefined && keyFile !== undefined
        ? readGiven(certificateFile, keyFile)
        : getOrCreateCertificate(folder, [...(listening.names ?? []), address, 'localhost', '127.0.0.1'])
    // Copied, since Postgres refuses a key that others can read and the operator's file keeps its permissions.
    const access = folder.owner ? { mode: 0o640, gid: folder.owner.gid } : { mode: 0o600 }
    writeOwnFile(folder.certificateFile, certificate, access)
    writeOwnFile(folder.keyFile, key, access)
  } catch (error) {
    throw toStartProblem(error, certificateFile ?? folder.root)
  }
  const everywhere = address === '0.0.0.0' || address === '::' || address === '*'
  return {
    listen_addresses: isHere ? '127.0.0.1' : everywhere ? '*' : `127.0.0.1,${address}`,
    ssl: 'on',
    ssl_cert_file: folder.certificateFile,
    ssl_key_file: folder.keyFile,
    ssl_min_protocol_version: 'TLSv1.2',
  }
}

function readGiven(certificateFile: string, keyFile: string): { certificate: string; key: string } {
  const certificate = readFileSync(certificateFile, 'utf8')
  const key = readFileSync(keyFile, 'utf8')
  let isPair = false
  try {
    isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch {}
  if (!isPair) throw startError(`${certificateFile} and ${keyFile} are no certificate with its key in PEM form.`)
  return { certificate, key }
}

/** Reused while valid, so that clients that trust it keep doing so. */
function getOrCreateCertificate(folder: ServerFolder, wanted: readonly string[]): { certificate: string; key: string } {
  const names = [...new Set(wanted.filter((name) => name !== '0.0.0.0' && name !== '::' && name !== '*'))]
  const kept = {
    certificate: readOwnFile(join(folder.root, 'own.crt')),
    key: readOwnFile(join(folder.root, 'own.key')),
  }
  if (kept.certificate !== undefined && kept.key !== undefined && isStillGood(kept.certificate, names)) {
    return { certificate: kept.certificate, key: kept.key }
  }
  const made = createCertificate(names)
  writeOwnFile(join(folder.root, 'own.crt'), made.certificate)
  writeOwnFile(join(folder.root, 'own.key'), made.key)
  return made
}

function isStillGood(pem: string, names: readonly string[]): boolean {
  try {
    const certificate = new X509Certificate(pem)
    const isFor = (name: string) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined
    return Date.parse(certificate.validTo) > Date.now() + RENEW_DAYS * DAY_MS && names.every((name) => isFor(name))
  } catch {
    return false
  }
}
