import { FileFault } from './byte-source.ts'
import type { FileDialect } from './dialect.ts'
import type { Separators } from './record-scanner.ts'

export function separatorsOf(dialect: Pick<FileDialect, 'delimiter' | 'quote' | 'escape'>): Separators {
  const { delimiter, quote, escape } = dialect
  if (!isSign(delimiter)) throw new FileFault('The delimiter must be a single plain character.')
  if (quote !== '' && !isSign(quote)) throw new FileFault('The quote must be a single plain character.')
  if (delimiter === quote) throw new FileFault('Delimiter and quote must not be the same.')
  return {
    delimiter: delimiter.charCodeAt(0),
    quote: quote === '' ? -1 : quote.charCodeAt(0),
    escape: escape ? escape.charCodeAt(0) : -1,
  }
}

const isSign = (sign: string) => sign.length === 1 && sign.charCodeAt(0) < 128 && !/[\0\r\n\\]/.test(sign)
