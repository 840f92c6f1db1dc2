/** pkt-line: four hex digits for the length, including themselves, then data. */
export const FLUSH = Buffer.from('0000')
export const DELIMITER = Buffer.from('0001')
const MAX_DATA = 65_516

export function formatLine(data: string | Buffer): Buffer {
  const body = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, '0')), body])
}

/** Side bands: 1 is data, 2 is shown to the user. */
export function* formatBand(band: 1 | 2, data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += MAX_DATA - 1) {
    yield formatLine(Buffer.concat([Buffer.of(band), data.subarray(at, at + MAX_DATA - 1)]))
  }
}

export interface Lines {
  readonly lines: (string | null)[]
  readonly rest: Buffer
}

export function parseLines(data: Buffer): Lines {
  const lines: (string | null)[] = []
  let at = 0
  while (at + 4 <= data.length) {
    const head = data.toString('latin1', at, at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(head)) throw new Error('a length of the protocol is no number')
    const length = Number.parseInt(head, 16)
    if (length === 0) return { lines, rest: data.subarray(at + 4) }
    if (length === 1) lines.push(null)
    else if (length < 4 || at + length > data.length) throw new Error('a line of the protocol is cut off')
    else lines.push(data.toString('utf8', at + 4, at + length).replace(/\n$/, ''))
    at += Math.max(length, 4)
  }
  return { lines, rest: data.subarray(at) }
}
