import type { Entry } from 'yauzl'
import saxes from 'saxes'
import { type ByteSource, FileFault } from './byte-source.ts'
import { guarded } from './unpack.ts'
import { type Zip, openZip } from './zip.ts'

/** Text that many cells share is held in memory; a workbook with more is better sent as CSV. */
const MOST_SHARED = 48 * 1024 * 1024

const tooMuchText = () =>
  new FileFault('The workbook holds too much text to be read at once. Save it as CSV and send that.')

export interface Workbook {
  readonly zip: Zip
  readonly sheets: readonly { readonly name: string; readonly entry: Entry }[]
  readonly is1904: boolean
}

export type Tag = saxes.SaxesTagPlain

interface Handlers {
  open?: (tag: Tag) => void
  close?: (tag: Tag) => void
  text?: (text: string) => void
}

/** Feeds one part of a workbook through a parser. Declarations of entities are not followed. */
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
  for await (const chunk of guarded(zip.read(entry), entry.compressedSize)) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield chunk.length
  }
  parser.write(decoder.decode()).close()
}

async function readPart(zip: Zip, entry: Entry | undefined, handlers: Handlers): Promise<void> {
  if (!entry) return
  const parts = parsePart(zip, entry, handlers)
  while (!(await parts.next()).done);
}

export const localName = (tag: Tag) => tag.name.slice(tag.name.indexOf(':') + 1)

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
  const sheets: { name: string; entry: Entry }[] = []
  let is1904 = false
  await readPart(zip, entryAt('xl/workbook.xml'), {
    open: (tag) => {
      if (localName(tag) === 'workbookPr') is1904 = /^(?:1|true)$/.test(tag.attributes['date1904'] ?? '')
      if (localName(tag) !== 'sheet') return
      const entry = entryAt(targets.get(tag.attributes['r:id'] ?? '') ?? '')
      if (entry) sheets.push({ name: tag.attributes['name'] ?? '', entry })
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
        if (text.length > MOST_SHARED) throw tooMuchText()
      },
      close: (tag) => {
        const name = localName(tag)
        if (name === 't') isText = false
        if (name === 'rPh') phonetic -= 1
        if (name !== 'si') return
        size += text.length * 2 + 24
        if (size > MOST_SHARED) throw tooMuchText()
        texts.push(text)
      },
    },
  )
  return texts
}

const DATE_FORMATS = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56,
  57, 58,
])

/** For each style of the workbook whether its numbers are dates. */
export async function readDateStyles({ zip }: Workbook): Promise<boolean[]> {
  const custom = new Map<number, boolean>()
  const styles: boolean[] = []
  let isCellFormats = false
  await readPart(
    zip,
    zip.entries.find((entry) => entry.fileName === 'xl/styles.xml'),
    {
      open: (tag) => {
        const name = localName(tag)
        if (name === 'numFmt') {
          const code = (tag.attributes['formatCode'] ?? '').replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '')
          custom.set(Number(tag.attributes['numFmtId']), /[ymdhs]/i.test(code) && !/general/i.test(code))
        }
        if (name === 'cellXfs') isCellFormats = true
        if (name === 'xf' && isCellFormats) {
          const id = Number(tag.attributes['numFmtId'])
          styles.push(custom.get(id) ?? DATE_FORMATS.has(id))
        }
      },
      close: (tag) => {
        if (localName(tag) === 'cellXfs') isCellFormats = false
      },
    },
  )
  return styles
}

const DAY_MS = 86_400_000

/** A date as workbooks count it, in days since 1900 (with a leap day that never was) or 1904. */
export function momentOf(serial: number, is1904: boolean): string {
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const moment = new Date(Math.round((days - 25_569) * DAY_MS))
  if (Number.isNaN(moment.getTime()) || days < 0) return String(serial)
  const iso = moment.toISOString()
  const fraction = iso.slice(19, 23) === '.000' ? '' : iso.slice(19, 23)
  if (serial < 1 && !is1904) return iso.slice(11, 19) + fraction
  return Number.isInteger(serial) ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction}`
}
