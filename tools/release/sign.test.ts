import { execFileSync, spawnSync } from 'node:child_process'
import { type KeyObject, generateKeyPairSync, randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, 'sign.ts')
let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-sign-'))
  file = join(folder, 'sbom.cdx.json')
  writeFileSync(file, JSON.stringify({ bomFormat: 'CycloneDX', serialNumber: randomBytes(16).toString('hex') }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const toPem = ({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }) => ({
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
})
const KEYS = {
  ed25519: () => toPem(generateKeyPairSync('ed25519')),
  'P-256': () => toPem(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
}

function run(args: readonly string[], key = '') {
  const env = { ...process.env, RELEASE_SIGNING_KEY: key }
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8' })
  return { status, says: `${stdout}${stderr}` }
}

function writeKey(name: string, pem: string): string {
  writeFileSync(join(folder, name), pem)
  return join(folder, name)
}

test.each(Object.entries(KEYS))(
  '%s: what was signed is verified, a changed file and another key are refused',
  (_, make) => {
    const { privateKey, publicKey } = make()
    const key = writeKey('release.pub', publicKey)
    expect(run([file], privateKey)).toMatchObject({ status: 0 })
    expect(run(['--verify', '--key', key, file])).toMatchObject({ status: 0 })
    const other = writeKey('other.pub', make().publicKey)
    expect(run(['--verify', '--key', other, file])).toMatchObject({ status: 1 })
    appendFileSync(file, ' ')
    const changed = run(['--verify', '--key', key, file])
    expect(changed).toMatchObject({ status: 1 })
    expect(changed.says).toContain('is not what was signed')
  },
)

test('openssl verifies it without Trellis', () => {
  const { privateKey, publicKey } = KEYS['P-256']()
  const key = writeKey('release.pub', publicKey)
  run([file], privateKey)
  const signature = join(folder, 'signature')
  writeFileSync(signature, Buffer.from(readFileSync(`${file}.sig`, 'utf8'), 'base64'))
  const openssl = () =>
    execFileSync('openssl', ['dgst', '-sha256', '-verify', key, '-signature', signature, file], { stdio: 'pipe' })
  expect(openssl().toString()).toContain('Verified OK')
  appendFileSync(file, ' ')
  expect(openssl).toThrow()
})

test('a missing key, file or signature is named', () => {
  expect(run([file])).toMatchObject({ status: 1, says: expect.stringContaining('RELEASE_SIGNING_KEY') as string })
  expect(run([file], 'no key').says).toContain('no key in the PEM format')
  const { privateKey, publicKey } = KEYS.ed25519()
  const key = writeKey('release.pub', publicKey)
  expect(run([join(folder, 'missing')], privateKey).says).toContain("missing can't be read")
  expect(run(['--verify', '--key', key, file]).says).toContain("sbom.cdx.json.sig can't be read")
  expect(run(['--verify', file]).says).toContain('--key')
})
