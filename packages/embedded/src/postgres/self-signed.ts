import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'

const YEARS = 5
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
const COMMON_NAME = [0x55, 0x04, 0x03]
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11]
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13]

function encodeDer(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const size = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, body])
}
const encodeSequence = (...parts: Buffer[]) => encodeDer(0x30, ...parts)
const encodeOid = (bytes: number[]) => encodeDer(0x06, bytes)
const encodeOctets = (content: Buffer) => encodeDer(0x04, content)
const encodeBits = (content: Buffer) => encodeDer(0x03, [0], content)
const encodeTime = (date: Date) =>
  encodeDer(
    0x17,
    Buffer.from(
      date
        .toISOString()
        .slice(2)
        .replaceAll(/[-:T]|\.\d+/g, ''),
    ),
  )

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = host.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const filled = tail === undefined ? [] : Array<string>(8 - groups(head).length - groups(tail).length).fill('0')
  const all = [...groups(head), ...filled, ...groups(tail ?? '')]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const altName = (name: string) =>
  isIP(name) ? encodeDer(0x87, addressBytes(name)) : encodeDer(0x82, Buffer.from(name, 'ascii'))

export function createCertificate(names: readonly string[], now = new Date()): { certificate: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = encodeSequence(encodeOid(ECDSA_WITH_SHA256))
  const subject = encodeSequence(
    encodeDer(
      0x31,
      encodeSequence(encodeOid(COMMON_NAME), encodeDer(0x0c, Buffer.from(`Trellis ${randomBytes(4).toString('hex')}`))),
    ),
  )
  const until = new Date(now)
  until.setUTCFullYear(until.getUTCFullYear() + YEARS)
  const extensions = encodeSequence(
    encodeSequence(encodeOid(SUBJECT_ALT_NAME), encodeOctets(encodeSequence(...names.map((name) => altName(name))))),
    encodeSequence(
      encodeOid(BASIC_CONSTRAINTS),
      encodeDer(0x01, [0xff]),
      encodeOctets(encodeSequence(encodeDer(0x01, [0xff]))),
    ),
  )
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const content = encodeSequence(
    encodeDer(0xa0, encodeDer(0x02, [2])),
    encodeDer(0x02, serial),
    algorithm,
    subject,
    encodeSequence(encodeTime(now), encodeTime(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(0xa3, extensions),
  )
  const certificate = encodeSequence(content, algorithm, encodeBits(sign('sha256', content, privateKey)))
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
