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

export function loadOrCreateKey(home: string, name: string): Buffer {
  const { path, text } = loadOrCreateFile(home, name, () => randomBytes(32).toString('base64'))
  return parseKey(path, text)
}

export function findKey(home: string, name: string): Buffer | undefined {
  const path = join(home, 'keys', `${name}.key`)
  const text = readIfThere(path)
  return text === undefined ? undefined : parseKey(path, text)
}

/** Neither key is ever missing on disk. */
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

/** Without fsync of the folder, a power cut may undo the rename. */
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

/** Atomic by link(): concurrent starts agree on one key, and nobody reads half of it. */
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
