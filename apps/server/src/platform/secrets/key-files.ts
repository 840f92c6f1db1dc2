import { type KeyObject, createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const NAME = /^[a-z][a-z0-9-]*$/

/** A random 32-byte key kept in `<home>/keys/<name>.key`, made at the first call. */
export function loadOrCreateKey(home: string, name: string): Buffer {
  const { path, text } = loadOrCreateFile(home, name, () => randomBytes(32).toString('base64'))
  return parseKey(path, text)
}

/** The same key when its file is there. */
export function findKey(home: string, name: string): Buffer | undefined {
  const path = join(home, 'keys', `${name}.key`)
  const text = readIfThere(path)
  return text === undefined ? undefined : parseKey(path, text)
}

/** Puts one key in the place of another, which stays under a third name. At no point is either of them missing. */
export function promoteKey(home: string, names: { from: string; to: string; keepAs: string }): void {
  const folder = join(home, 'keys')
  const [from, to, kept] = [names.from, names.to, names.keepAs].map((name) => join(folder, `${name}.key`)) as [
    string,
    string,
    string,
  ]
  linkSync(to, kept)
  syncFolder(folder)
  renameSync(from, to)
  syncFolder(folder)
}

export function removeKey(home: string, name: string): void {
  rmSync(join(home, 'keys', `${name}.key`), { force: true })
}

/** Without it a power cut may forget a name although the bytes are on disk. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function parseKey(path: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new Error(`The key file ${path} is damaged. Restore it from your backup.`)
  return key
}

/** An Ed25519 private key kept the same way. */
export function loadOrCreateSigningKey(home: string, name: string): KeyObject {
  const make = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const { path, text } = loadOrCreateFile(home, name, make)
  try {
    return createPrivateKey(text)
  } catch (cause) {
    throw new Error(`The key file ${path} is damaged. Restore it from your backup.`, { cause })
  }
}

function loadOrCreateFile(home: string, name: string, make: () => string): { path: string; text: string } {
  if (!NAME.test(name)) throw new Error(`"${name}" is no name for a key.`)
  const folder = join(home, 'keys')
  const path = join(folder, `${name}.key`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = readIfThere(path)
  if (found !== undefined) return { path, text: found }
  createOnce(path, make())
  const text = readIfThere(path)
  if (text === undefined) throw new Error(`The key file ${path} could not be written.`)
  return { path, text }
}

/** Two processes may start at once: the link makes one of them the winner, and no reader ever sees half a key. */
function createOnce(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function readIfThere(path: string): string | undefined {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      throw new Error(`The key file ${path} can be read by other users. Run: chmod 600 ${path}`)
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
