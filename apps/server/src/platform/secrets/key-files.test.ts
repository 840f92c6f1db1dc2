import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { loadOrCreateKey, loadOrCreateSigningKey } from './key-files.ts'

const folders: string[] = []
const home = () => {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-keys-'))
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

test('a key is made once, kept, and readable by its owner alone', () => {
  const where = home()
  const key = loadOrCreateKey(where, 'pepper')
  expect(key).toHaveLength(32)
  expect(loadOrCreateKey(where, 'pepper')).toEqual(key)
  expect(loadOrCreateKey(where, 'other')).not.toEqual(key)
  expect(statSync(join(where, 'keys/pepper.key')).mode & 0o777).toBe(0o600)
  expect(statSync(join(where, 'keys')).mode & 0o777).toBe(0o700)
})

test('a signing key survives a restart', () => {
  const where = home()
  const made = loadOrCreateSigningKey(where, 'token-signing')
  expect(made.asymmetricKeyType).toBe('ed25519')
  expect(loadOrCreateSigningKey(where, 'token-signing').equals(made)).toBe(true)
})

test('a key others can read is refused with the command that helps', () => {
  const where = home()
  loadOrCreateKey(where, 'root')
  const path = join(where, 'keys/root.key')
  chmodSync(path, 0o644)
  expect(() => loadOrCreateKey(where, 'root')).toThrow(`chmod 600 ${path}`)
})

test('a damaged key is never replaced by a new one', () => {
  const where = home()
  loadOrCreateKey(where, 'root')
  writeFileSync(join(where, 'keys/root.key'), 'short')
  expect(() => loadOrCreateKey(where, 'root')).toThrow(/damaged/)
  expect(readFileSync(join(where, 'keys/root.key'), 'utf8')).toBe('short')
})

test.each(['../root', 'a/b', '', 'Root', 'root.key'])('"%s" is no name for a key', (name) => {
  expect(() => loadOrCreateKey(home(), name)).toThrow(/no name/)
})

test('processes that start at once agree on one key and leave nothing else behind', async () => {
  const where = home()
  const script = `import { loadOrCreateKey } from ${JSON.stringify(new URL('key-files.ts', import.meta.url).href)}
process.stdout.write(loadOrCreateKey(${JSON.stringify(where)}, 'root').toString('hex'))`
  const run = promisify(execFile)
  const args = ['--input-type=module-typescript', '-e', script]
  const outputs = await Promise.all(Array.from({ length: 6 }, () => run(process.execPath, args)))
  expect(new Set(outputs.map((output) => output.stdout)).size).toBe(1)
  expect(readdirSync(join(where, 'keys'))).toEqual(['root.key'])
})
