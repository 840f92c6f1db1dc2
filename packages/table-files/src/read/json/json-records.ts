import { asBuffer } from '../byte-source.ts'

const [LF, QUOTE, BACKSLASH, COLON, COMMA] = [10, 34, 92, 58, 44]
const isOpen = (byte: number) => byte === 123 || byte === 91
const isClose = (byte: number) => byte === 125 || byte === 93
const isSpace = (byte: number) => byte === 32 || (byte >= 9 && byte <= 13)

const LIST_NAMES =
  /^(?:data|results?|items|records|rows|value|values|features|entries|list|content|objects|documents)$/i

/** Tracks the current top-level field, byte by byte. */
function createFieldWalker() {
  let depth = 0
  let isQuoted = false
  let isEscaped = false
  let isValue = false
  let key = ''
  let text: number[] = []
  function walkText(byte: number): boolean {
    if (isEscaped) isEscaped = false
    else if (byte === BACKSLASH) isEscaped = true
    else if (byte === QUOTE) isQuoted = false
    if (isQuoted && depth === 1 && !isValue && text.length < 1000) text.push(byte)
    return false
  }
  function enter(byte: number): void {
    if (byte === QUOTE) isQuoted = true
    else if (isOpen(byte)) depth += 1
    else if (isClose(byte)) depth -= 1
    else if (byte === COLON && depth === 1) isValue = true
    else if (byte === COMMA && depth === 1) {
      isValue = false
      text = []
    }
  }
  return {
    depth: () => depth,
    key: () => key,
    isQuoted: () => isQuoted,
    next(byte: number): boolean {
      if (isQuoted) return walkText(byte)
      if (isSpace(byte)) return false
      const begins = depth === 1 && isValue && byte !== COMMA && byte !== 125 && text.length > 0
      if (begins) {
        key = Buffer.from(text).toString('utf8')
        text = []
      }
      enter(byte)
      return begins
    },
  }
}

export interface RecordsFound {
  readonly name: string
  readonly isLikely: boolean
  readonly columns?: readonly string[]
}

const COLUMN_NAMES = /^(?:columns?|cols|fields|headers?|(?:column|field)_?names|names|schema)$/i

/** `{"columns": ["a", "b"], "data": [[1, 2]]}`, also with `{"name": "a"}`. */
function readColumnNames(text: string): readonly string[] | undefined {
  try {
    const names = (JSON.parse(text) as unknown[]).map((item) =>
      typeof item === 'object' && item !== null && 'name' in item ? item.name : item,
    )
    return names.every((name) => typeof name === 'string') ? names : undefined
  } catch {
    return undefined
  }
}

function createNamesReader(head: Buffer, walker: ReturnType<typeof createFieldWalker>) {
  let found: readonly string[] | undefined
  let from = -1
  return {
    found: () => found,
    next(at: number, begins: boolean): void {
      if (from >= 0 && head[at] === 93 && walker.depth() === 1 && !walker.isQuoted()) {
        found ??= readColumnNames(head.toString('utf8', from, at + 1))
        from = -1
      }
      if (begins && head[at] === 91 && COLUMN_NAMES.test(walker.key())) from = at
    },
  }
}

export function findRecords(head: Buffer, isCut: boolean): RecordsFound | undefined {
  const walker = createFieldWalker()
  const lists: string[] = []
  const names = createNamesReader(head, walker)
  let fields = 0
  for (let at = 0; at < head.length; at += 1) {
    const byte = head[at] as number
    const begins = walker.next(byte)
    if (walker.depth() === 0 && !isSpace(byte) && !(at < 3 && byte > 127)) {
      // Something follows the object: the file is a sequence of objects.
      if (byte !== 125 || head.subarray(at + 1).some((rest) => !isSpace(rest))) return undefined
      isCut = false
      break
    }
    names.next(at, begins)
    if (!begins) continue
    fields += 1
    if (byte === 91 && /^\[\s*[[{]/.test(head.toString('latin1', at, at + 200))) lists.push(walker.key())
  }
  const name = lists.find((list) => LIST_NAMES.test(list)) ?? lists[0]
  if (name === undefined) return undefined
  const columns = names.found()
  return { name, isLikely: LIST_NAMES.test(name) || (fields === 1 && !isCut), ...(columns && { columns }) }
}

/** Keeps preceding line breaks, so that line numbers stay right. */
export async function* readRecords(utf8: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const walker = createFieldWalker()
  let isInside = false
  for await (const chunk of utf8) {
    const bytes = asBuffer(chunk)
    let from = isInside ? 0 : -1
    let feeds = 0
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number
      const begins = walker.next(byte)
      if (!isInside && byte === LF) feeds += 1
      if (!isInside && begins && byte === 91 && walker.key() === name) {
        isInside = true
        from = at
      } else if (isInside && walker.depth() === 1 && byte === 93 && !walker.isQuoted()) {
        if (feeds > 0) yield Buffer.alloc(feeds, LF)
        return yield bytes.subarray(from, at + 1)
      }
    }
    if (feeds > 0) yield Buffer.alloc(feeds, LF)
    if (from >= 0) yield bytes.subarray(from)
  }
}
