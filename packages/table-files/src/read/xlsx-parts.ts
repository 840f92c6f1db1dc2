import type { Entry } from 'yauzl'
import saxes from 'saxes'
import { type ByteSource, FileFault } from './byte-source.ts'
import { limitInflation } from './unpack.ts'
import { type Zip, openZip } from './zip.ts'

/** Shared strings are held in memory. */
const MAX_SHARED_BYTES = 48 * 1024 * 1024

const formatTooMuch = () =>
  new FileFault('The workbook holds too much text to be read at once. Save it as CSV and send that.')

export interface Workbook {
  readonly zip: Zip
  readonly sheets: readonly { readonly name: string; readonly entry: Entry; readonly isHidden: boolean }[]
  readonly is1904: boolean
}

export type Tag = saxes.SaxesTagPlain

interface Handlers {
  open?: (tag: Tag) => void
  close?: (tag: Tag) => void
  text?: (text: string) => void
}

/** Ignores entity declarations (XXE). */
export async function* parsePart(zip: Zip, entry: Entry, handlers: Handlers): AsyncGenerator<number> {
  const parser = new saxes.SaxesParser()
  const decoder = new TextDecoder('utf-8')
  if (handlers.open) parser.on('opentag', handlers.open)
  if (handlers.close) parser.on('closetag', handlers.close)
  if (handlers.text) parser.on('text', handlers.text)
  if (handlers.text) parser.on('cdata', handlers.text)
  parser.on('error', (error) => {
    throw new FileFault('The workbook is damaged: one of its parts is not valid XML.', { cause: error })
  })
  for await (const chunk of limitInflation(zip.read(entry), entry.compressedSize)) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield chunk.length
  }
  parser.write(decoder.decode()).close()
}

export async function readPart(zip: Zip, entry: Entry | undefined, handlers: Handlers): Promise<void> {
  if (!entry) return
  const parts = parsePart(zip, entry, handlers)
  while (!(await parts.next()).done);
}

/** `_x000D_` encodes a character that XML cannot contain, `_x005F_` a literal underscore. */
export const decodeText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

export const localName = (tag: Tag) => tag.name.slice(tag.name.indexOf(':') + 1)

const getRelationId = ({ attributes }: Tag): string =>
  attributes['r:id'] ?? Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

export async function openWorkbook(source: ByteSource): Promise<Workbook> {
  const zip = await openZip(source)
  const entryAt = (path: string) => zip.entries.find((entry) => entry.fileName === path)
  const targets = new Map<string, string>()
  await readPart(zip, entryAt('xl/_rels/workbook.xml.rels'), {
    open: (tag) => {
      if (localName(tag) !== 'Relationship') return
      targets.set(tag.attributes['Id'] ?? '', (tag.attributes['Target'] ?? '').replace(/^\/?(?:xl\/)?/, 'xl/'))
    },
  })
  const sheets: { name: string; entry: Entry; isHidden: boolean }[] = []
  let is1904 = false
  await readPart(zip, entryAt('xl/workbook.xml'), {
    open: (tag) => {
      if (localName(tag) === 'workbookPr') is1904 = /^(?:1|true)$/.test(tag.attributes['date1904'] ?? '')
      if (localName(tag) !== 'sheet') return
      const entry = entryAt(targets.get(getRelationId(tag)) ?? '')
      const isHidden = (tag.attributes['state'] ?? 'visible') !== 'visible'
      if (entry) sheets.push({ name: tag.attributes['name'] ?? '', entry, isHidden })
    },
  })
  if (sheets.length === 0) throw new FileFault('The workbook has no sheet with rows.')
  return { zip, sheets, is1904 }
}

export async function readSharedTexts({ zip }: Workbook): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let size = 0
  let isText = false
  let phonetic = 0
  await readPart(
    zip,
    zip.entries.find((entry) => entry.fileName === 'xl/sharedStrings.xml'),
    {
      open: (tag) => {
        const name = localName(tag)
        if (name === 'si') text = ''
        if (name === 'rPh') phonetic += 1
        isText = name === 't' && phonetic === 0
      },
      text: (piece) => {
        if (isText) text += piece
        if (text.length > MAX_SHARED_BYTES) throw formatTooMuch()
      },
      close: (tag) => {
        const name = localName(tag)
        if (name === 't') isText = false
        if (name === 'rPh') phonetic -= 1
        if (name !== 'si') return
        size += text.length * 2 + 24
        if (size > MAX_SHARED_BYTES) throw formatTooMuch()
        texts.push(decodeText(text))
      },
    },
  )
  return texts
}
