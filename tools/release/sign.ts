import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/**
 * `npm run -s sign -- FILE` writes FILE.sig with the releaser's private key (PEM) in RELEASE_SIGNING_KEY;
 * `npm run -s sign -- --verify --key release.pub FILE` checks it. The signature is Base64, as cosign and openssl read it.
 */
const { values, positionals } = parseArgs({
  options: { verify: { type: 'boolean', default: false }, key: { type: 'string' } },
  allowPositionals: true,
})

class Problem extends Error {}

// Ed25519 hashes by itself.
const getDigest = (type: string | undefined) => (type === 'ed25519' ? null : 'sha256')

function signFile(file: string): string {
  const pem = process.env['RELEASE_SIGNING_KEY']
  if (!pem) {
    throw new Problem(
      'RELEASE_SIGNING_KEY must hold a private key as PEM. Make one with "openssl genpkey -algorithm ed25519 -out release.key".',
    )
  }
  const key = parseKey(() => createPrivateKey(pem), 'RELEASE_SIGNING_KEY')
  writeFileSync(`${file}.sig`, `${sign(getDigest(key.asymmetricKeyType), readFile(file), key).toString('base64')}\n`)
  return `${file}.sig`
}

function verifyFile(file: string, keyFile: string | undefined): string {
  if (keyFile === undefined) throw new Problem('--verify needs --key with the file of the public key.')
  const pem = readFile(keyFile)
  const key = parseKey(() => createPublicKey(pem), keyFile)
  const signature = Buffer.from(readFile(`${file}.sig`).toString('ascii'), 'base64')
  if (!verify(getDigest(key.asymmetricKeyType), readFile(file), key, signature)) {
    throw new Problem(`${file} is not what was signed, or was signed with another key. Do not use it.`)
  }
  return `${file} is what was signed.`
}

function parseKey<T>(parse: () => T, name: string): T {
  try {
    return parse()
  } catch {
    throw new Problem(`${name} is no key in the PEM format.`)
  }
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new Problem(`${path} can't be read.`)
  }
}

try {
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new Problem('Name one file.')
  console.log(values.verify ? verifyFile(file, values.key) : signFile(file))
} catch (error) {
  if (!(error instanceof Problem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
