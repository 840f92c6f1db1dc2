import type { FileDialect } from '../../read/dialect.ts'
import { createTextDecoder } from '../../read/text-decoder.ts'

export type TextEncoding = FileDialect['encoding']

const tables = new Map<string, Map<string, readonly number[]>>()

/** Node only decodes legacy encodings, so the table is inverted from decoding. */
function getEncodingTable(encoding: TextEncoding): Map<string, readonly number[]> {
  const known = tables.get(encoding)
  if (known) return known
  const table = new Map<string, readonly number[]>()
  const decoder = createTextDecoder(encoding)
  const add = (bytes: readonly number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let byte = 0; byte < 256; byte += 1) add([byte])
  if (!/^(?:windows|iso|koi|ibm|mac)/.test(encoding)) {
    for (let lead = 0x81; lead < 0xff; lead += 1) for (let trail = 0x40; trail < 0xff; trail += 1) add([lead, trail])
  }
  tables.set(encoding, table)
  return table
}

export function encodeText(text: string, encoding: TextEncoding): Buffer | undefined {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  const table = getEncodingTable(encoding)
  const bytes: number[] = []
  for (const character of text) {
    const found = table.get(character)
    if (!found) return undefined
    bytes.push(...found)
  }
  return Buffer.from(bytes)
}
