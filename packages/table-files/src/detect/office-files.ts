import { type ByteSource, FileFault, readRange } from '../read/byte-source.ts'

const ADVICE = 'Save the table as .xlsx or CSV and send that.'

const ZIPPED: readonly [part: RegExp, name: string][] = [
  [/^xl\/workbook\.bin$/, 'a binary workbook (.xlsb)'],
  [/^word\/document\.xml$/, 'a Word document'],
  [/^ppt\/presentation\.xml$/, 'a presentation'],
  [/^content\.xml$/, 'an OpenDocument file such as .ods'],
  [/^Index\/(?:Document|Tables\/.*)\.iwa$/, 'a document of Numbers, Pages or Keynote'],
]

export function assertNoDocument(names: readonly string[]): void {
  const found = ZIPPED.find(([part]) => names.some((name) => part.test(name)))
  if (found) throw new FileFault(`This is ${found[1]}, which can not be read here. ${ADVICE}`)
}

const COMPOUND = 'd0cf11e0a1b11ae1'
/** OLE header: sector size as a power of two, and the directory's sector. */
const SECTOR_SHIFT_AT = 30
const DIRECTORY_AT = 48
const DIRECTORY_BYTES = 4096
const HEADER_BYTES = 512

const STREAMS: readonly [stream: string, sentence: string][] = [
  ['EncryptedPackage', 'The file is protected by a password. Take it away and send the file again.'],
  ['WordDocument', `This is a Word document, not a table. ${ADVICE}`],
  ['PowerPoint Document', `This is a presentation, not a table. ${ADVICE}`],
  ['__properties_version1.0', `This is a message of Outlook, not a table. ${ADVICE}`],
]
const OLD_WORKBOOK = 'This is a workbook of the old kind (.xls). Save it as .xlsx or CSV and send that.'

/** Office files before 2007, and encrypted ones, are OLE compound files. */
export async function assertNoCompoundFile(source: ByteSource, head: Buffer): Promise<void> {
  if (head.toString('hex', 0, 8) !== COMPOUND) return
  const header = await readRange(source, 0, HEADER_BYTES)
  const known = header.length < HEADER_BYTES ? '' : await readStreams(source, header)
  throw new FileFault(STREAMS.find(([stream]) => known.includes(stream))?.[1] ?? OLD_WORKBOOK)
}

async function readStreams(source: ByteSource, header: Buffer): Promise<string> {
  const sector = 2 ** Math.min(header.readUInt16LE(SECTOR_SHIFT_AT), 12)
  const start = (header.readUInt32LE(DIRECTORY_AT) + 1) * sector
  if (start >= source.size) return ''
  return (await readRange(source, start, Math.min(source.size, start + DIRECTORY_BYTES))).toString('utf16le')
}
