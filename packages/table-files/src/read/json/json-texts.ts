import { FileFault, MAX_RECORD_BYTES, asBuffer } from '../byte-source.ts'

export interface JsonText {
  /** 1-based. */
  readonly number: number
  readonly text: string
}

const [LF, QUOTE, BACKSLASH, COMMA] = [10, 34, 92, 44]
const isSpace = (byte: number) => byte === 32 || (byte >= 9 && byte <= 13)

/**
 * Objects may span lines and may be in a list; lists must be in a list or follow each other. Anything else ends with
 * its line, so that one broken line does not affect others.
 */
export async function* readJsonTexts(
  utf8: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ lines: JsonText[]; bytes: number }> {
  let splitter: ReturnType<typeof createSplitter> | undefined
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of utf8) {
    const bytes = splitter ? asBuffer(chunk) : Buffer.concat([head, chunk])
    if (!splitter) {
      const isRow = isFirstListRow(bytes)
      head = bytes
      if (isRow === undefined && bytes.length < MAX_FIRST_LIST_BYTES) continue
      splitter = createSplitter(isRow === true)
    }
    yield { lines: splitter.push(bytes), bytes: bytes.length }
  }
  if (!splitter) {
    splitter = createSplitter(false)
    yield { lines: splitter.push(head), bytes: head.length }
  }
  const lines = splitter.end()
  if (lines.length > 0) yield { lines, bytes: 0 }
}

const MAX_FIRST_LIST_BYTES = 64 * 1024

function isFirstListRow(head: Buffer): boolean | undefined {
  const text = head.toString('latin1')
  const start = /^(?:\xef\xbb\xbf)?\s*/.exec(text)?.[0].length ?? 0
  if (start === text.length) return undefined
  // Contains objects or lists, so it is a list of rows.
  if (text[start] !== '[' || /^\[\s*[[{]/.test(text.slice(start, start + 200))) return false
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (isQuoted) {
      if (sign === '\\') at += 1
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') isQuoted = true
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    if (depth > 0) continue
    const next = text.slice(at + 1).trimStart()
    return next === '' ? undefined : next.startsWith('[')
  }
  return undefined
}

function createSplitter(isListRows: boolean) {
  let line = 1
  let startLine = 1
  let depth = 0
  let isQuoted = false
  let isEscaped = false
  let isInValue = false
  let isList: boolean | undefined = isListRows ? false : undefined
  let rest: Buffer[] = []
  let restBytes = 0
  let jsonTexts: JsonText[] = []
  let last = LF

  function take(piece: Buffer): void {
    const text = (restBytes > 0 ? Buffer.concat([...rest, piece]) : piece).toString('utf8').trim()
    rest = []
    restBytes = 0
    isInValue = false
    depth = 0
    isQuoted = false
    if (text !== '') jsonTexts.push({ number: startLine, text })
  }
  function isValueStart(byte: number): boolean {
    if (isSpace(byte)) return false
    if (isList === undefined) {
      isList = byte === 91
      if (isList) return false
    }
    // Lines may end with a comma, as in a list without brackets.
    return byte !== COMMA && !(isList && byte === 93)
  }
  function ends(byte: number): boolean {
    if (isQuoted) {
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) isQuoted = false
    } else if (byte === QUOTE) isQuoted = true
    else if (byte === 123 || byte === 91) depth += 1
    else if (byte === 125 || byte === 93) {
      depth -= 1
      return depth <= 0
    }
    return false
  }
  /** JSON has no line breaks in strings: the value is broken. */
  const isBroken = (byte: number) => byte === LF && (depth === 0 || isQuoted)

  return {
    push(chunk: Buffer): JsonText[] {
      jsonTexts = []
      let from = 0
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] as number
        // A row that starts on a new line while another is open: the open one is broken.
        if (isInValue && byte === (isListRows ? 91 : 123) && last === LF && isList !== true)
          take(chunk.subarray(from, at))
        last = byte
        if (!isInValue && isValueStart(byte)) {
          isInValue = true
          isQuoted = false
          isEscaped = false
          startLine = line
          from = at
        }
        if (isInValue && (ends(byte) || isBroken(byte))) {
          take(chunk.subarray(from, at + 1))
        }
        if (byte === LF) line += 1
      }
      if (!isInValue) return jsonTexts
      rest.push(from === 0 ? chunk : chunk.subarray(from))
      restBytes += chunk.length - from
      if (restBytes > MAX_RECORD_BYTES) throw new FileFault(`The value in line ${startLine} is longer than 32 MB.`)
      return jsonTexts
    },
    end(): JsonText[] {
      jsonTexts = []
      if (isInValue) take(Buffer.alloc(0))
      return jsonTexts
    },
  }
}
