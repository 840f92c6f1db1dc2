import { createHash } from 'node:crypto'

const NAME_BYTES = 63
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const SYSTEM_NAMES = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'])

const WORD = /^[\p{L}\p{M}\p{N}_]*$/u

/** `Order ID` → `order_id`; keeps letters of all languages. */
const snakeCase = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')

export function columnNames(headers: readonly string[]): string[] {
  const taken = new Set<string>()
  return headers.map((header, position) => {
    const plain = header.normalize('NFC').replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim()
    const word = WORD.test(plain) ? plain : snakeCase(plain)
    const wanted = word === '' ? `column_${position + 1}` : SYSTEM_NAMES.has(word) ? `${word}_` : word
    let name = shortName(wanted, '')
    for (let twin = 2; taken.has(name.toLowerCase()); twin += 1) name = shortName(wanted, `_${twin}`)
    taken.add(name.toLowerCase())
    return name
  })
}

/** A shortened name ends in a digest, so that long names stay distinct. */
function shortName(wanted: string, suffix: string): string {
  if (Buffer.byteLength(wanted + suffix) <= NAME_BYTES) return wanted + suffix
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 6)
  const room = NAME_BYTES - Buffer.byteLength(suffix) - digest.length - 1
  let head = ''
  for (const character of wanted) {
    if (Buffer.byteLength(head + character) > room) break
    head += character
  }
  return `${head.trimEnd()}_${digest}${suffix}`
}
