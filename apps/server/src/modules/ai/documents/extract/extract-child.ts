import { FileFault, bufferSource } from '@trellis/table-files/read/byte-source'
import { openZip } from '@trellis/table-files/read/zip'
import { extractText, getDocumentProxy } from 'unpdf'
import type { DocumentText, ExtractReply, ExtractRequest } from './document-text.ts'
import { readDocx } from './read-docx.ts'

const MAX_PAGES = 5000

async function extract({ bytes, maxCharacters }: ExtractRequest): Promise<DocumentText> {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (head.includes('%PDF-')) return await readPdf(bytes)
  if (head.startsWith('PK\u0003\u0004')) {
    const text = await readDocx(await openZip(bufferSource(bytes)), bytes.length, maxCharacters)
    return { pages: [{ number: null, text }], pageCount: null, isMarkdown: true }
  }
  return { pages: [{ number: null, text: decode(bytes) }], pageCount: null, isMarkdown: true }
}

async function readPdf(bytes: Uint8Array): Promise<DocumentText> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false })
  if (pdf.numPages > MAX_PAGES) throw new FileFault(`The PDF has ${pdf.numPages} pages; ${MAX_PAGES} can be read.`)
  const { text } = await extractText(pdf)
  if (!text.some((page) => page.trim())) {
    throw new FileFault('The PDF holds no text, only pictures of it. Send one whose text can be selected.')
  }
  return {
    pages: text.map((page, at) => ({ number: at + 1, text: page })),
    pageCount: pdf.numPages,
    isMarkdown: false,
  }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 8192).includes(0)) {
    throw new FileFault('This kind of file can not be read. Send text, Markdown, CSV, PDF or .docx.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

async function answer(request: ExtractRequest): Promise<ExtractReply> {
  try {
    return { text: await extract(request) }
  } catch (error) {
    if (error instanceof FileFault) return { problem: error.message }
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    if (isLocked) return { problem: 'The PDF is protected by a password. Take it away and send the file again.' }
    return { problem: 'The file is damaged or not complete. Send it again.' }
  }
}

process.on('message', (request: ExtractRequest) => {
  void answer(request).then((reply) => process.send?.(reply, undefined, undefined, () => process.exit()))
})
process.on('disconnect', () => process.exit())
