import { randomBytes, scryptSync } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { SecretProblem, decrypt, encrypt } from '../../platform/secrets/envelope.ts'
import { AdminError, EXIT } from '../admin-error.ts'
import { SEALED_KEYS, damagedBackupError } from './manifest.ts'

const BOUND = ['backup-keys']
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 ** 2 }
const MIN_PASSPHRASE_LENGTH = 12
const KEY_FILE = /^[a-z][a-z0-9-]*\.key$/

export type KeyFiles = Readonly<Record<string, string>>

const Sealed = z.object({ salt: z.string(), sealed: z.string() })

export function readPassphrase(path: string): string {
  if (!existsSync(path)) throw new AdminError(`There is no file ${path}.`, EXIT.usage)
  if (!canRead(path)) throw new AdminError(`${path} can not be read by this user.`, EXIT.usage)
  const passphrase = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (passphrase.length >= MIN_PASSPHRASE_LENGTH) return passphrase
  throw new AdminError(`The passphrase in ${path} must have at least ${MIN_PASSPHRASE_LENGTH} characters.`, EXIT.usage)
}

function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

export function readKeyFiles(home: string): KeyFiles {
  const folder = join(home, 'keys')
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder).filter((name) => KEY_FILE.test(name))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

export function writeKeyFiles(home: string, keys: KeyFiles): void {
  const folder = join(home, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(keys)) {
    writeFileSync(join(folder, name), text, { mode: 0o600, flag: 'wx', flush: true })
  }
}

export function sealKeys(keys: KeyFiles, passphrase: string): string {
  const salt = randomBytes(16)
  const sealed = encrypt({ key: deriveKey(passphrase, salt), bound: BOUND }, Buffer.from(JSON.stringify(keys)))
  return `${JSON.stringify({ salt: salt.toString('base64'), sealed: sealed.toString('base64') })}\n`
}

export function openSealedKeys(folder: string, passphraseFile: string): KeyFiles {
  const { salt, sealed } = parseSealed(join(folder, SEALED_KEYS))
  const passphrase = readPassphrase(passphraseFile)
  try {
    const key = deriveKey(passphrase, Buffer.from(salt, 'base64'))
    return JSON.parse(decrypt({ key, bound: BOUND }, Buffer.from(sealed, 'base64')).toString()) as KeyFiles
  } catch (error) {
    if (!(error instanceof SecretProblem)) throw error
    throw new AdminError('The passphrase does not open the keys of this backup.')
  }
}

function parseSealed(path: string): z.infer<typeof Sealed> {
  try {
    return z.parse(Sealed, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw damagedBackupError(path)
  }
}

const deriveKey = (passphrase: string, salt: Buffer) => scryptSync(passphrase.normalize('NFC'), salt, 32, COST)
