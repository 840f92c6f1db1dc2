import { FileFault } from './byte-source.ts'
import type { FileDialect } from './dialect.ts'
import type { Separators } from './record-scanner.ts'

type Signs = Pick<FileDialect, 'delimiter' | 'quote' | 'escape' | 'comment'>

/** Replaces a non-ASCII delimiter during the scan; both are swapped, so that no text is lost. */
const STAND_IN = '\u001f'

export function toSeparators({ delimiter, quote, escape, comment }: Signs): Separators {
  const isPlain = isPlainDelimiter(delimiter)
  if (!isSign(delimiter) && (isPlain || !isLetterSign(delimiter)))
    throw new FileFault('The delimiter must be a single character, and no line end or backslash.')
  if (quote !== '' && !isSign(quote)) throw new FileFault('The quote must be a single plain character.')
  if (delimiter === quote || (!isPlain && quote === STAND_IN))
    throw new FileFault('Delimiter and quote must not be the same.')
  return {
    delimiter: delimiterByte(delimiter),
    quote: quote === '' ? -1 : quote.charCodeAt(0),
    escape: escape ? escape.charCodeAt(0) : -1,
    ...(!isPlain && { swapped: delimiter }),
    // Consoles pad values to the column's width.
    ...(comment === '-' && { isPadded: true }),
  }
}

const isSign = (sign: string) => sign.length === 1 && sign.charCodeAt(0) < 128 && !/[\0\r\n\\]/.test(sign)
const isLetterSign = (sign: string) => sign.length === 1 && sign.isWellFormed()

export const isPlainDelimiter = (delimiter: string): boolean => delimiter.charCodeAt(0) < 128

export const delimiterByte = (delimiter: string): number =>
  (isPlainDelimiter(delimiter) ? delimiter : STAND_IN).charCodeAt(0)

export function swapSigns(text: string, delimiter: string): string {
  if (!text.includes(delimiter) && !text.includes(STAND_IN)) return text
  return text
    .split(STAND_IN)
    .map((part) => part.replaceAll(delimiter, STAND_IN))
    .join(delimiter)
}

/** Chunks may end within the delimiter. */
export async function* swapDelimiter(utf8: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<Uint8Array> {
  if (isPlainDelimiter(delimiter)) return yield* utf8
  const sign = Buffer.from(delimiter).toString('latin1')
  let rest = ''
  for await (const chunk of utf8) {
    const text = rest + Buffer.from(chunk).toString('latin1')
    let cut = 0
    for (let length = 1; length < sign.length; length += 1) if (text.endsWith(sign.slice(0, length))) cut = length
    rest = text.slice(text.length - cut)
    if (text.length > cut) yield Buffer.from(swapSigns(text.slice(0, text.length - cut), sign), 'latin1')
  }
  if (rest !== '') yield Buffer.from(rest, 'latin1')
}
