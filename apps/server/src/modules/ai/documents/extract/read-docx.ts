import { FileFault } from '@trellis/table-files/read/byte-source'
import { limitInflation } from '@trellis/table-files/read/unpack'
import type { Zip } from '@trellis/table-files/read/zip'
import { SaxesParser } from 'saxes'

const BODY = 'word/document.xml'
/** Zip sizes are verified while reading: a false one counts as damaged. */
const MAX_XML_BYTES = 64 * 1024 * 1024

export async function readDocx(zip: Zip, packedBytes: number, maxCharacters: number): Promise<string> {
  const entry = zip.entries.find(({ fileName }) => fileName === BODY)
  if (!entry) throw new FileFault('This is a zip file and no Word document. Send text, Markdown, CSV, PDF or .docx.')
  if (entry.uncompressedSize > MAX_XML_BYTES) {
    throw new FileFault('The Word document unpacks to more than can be read. Split it into smaller ones.')
  }
  const parser = new SaxesParser()
  let text = ''
  let paragraph = ''
  let level = 0
  let isText = false
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'w:t') isText = true
    else if (name === 'w:tab') paragraph += '\t'
    else if (name === 'w:br') paragraph += '\n'
    else if (name === 'w:pStyle') level = Number(/^heading ?([1-6])$/i.exec(String(attributes['w:val']))?.[1] ?? 0)
  })
  parser.on('text', (part) => {
    if (isText) paragraph += part
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'w:t') isText = false
    if (name !== 'w:p') return
    if (paragraph.trim()) text += `${level > 0 ? `${'#'.repeat(level)} ` : ''}${paragraph.trim()}\n\n`
    paragraph = ''
    level = 0
  })
  parser.on('doctype', () => {
    throw new FileFault('The Word document declares entities of its own, which are not read.')
  })
  const decoder = new TextDecoder()
  for await (const chunk of limitInflation(zip.read(entry), packedBytes)) {
    parser.write(decoder.decode(chunk, { stream: true }))
    if (text.length > maxCharacters) break
  }
  return text
}
