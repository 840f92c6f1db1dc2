import { gzipSync } from 'node:zlib'
import { ZipFile } from 'yazl'
import type { AwkwardFile } from './load-cells.ts'
import { createLeaf, writeColumns } from './write-columns.ts'
import { writeWorkbook } from './write-workbook.ts'

const TABLE = 'id,t\n1,a\n2,b\n'
const AB = {
  columns: ['id:integer', 't:text'],
  rows: [
    ['1', 'a'],
    ['2', 'b'],
  ],
}

async function zip(files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const file = new ZipFile()
  for (const [name, content] of Object.entries(files)) file.addBuffer(Buffer.from(content as string), name)
  file.end()
  const chunks: Buffer[] = []
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Header and directory of an OLE compound file with one stream. */
function compoundFile(stream: string): Buffer {
  const file = Buffer.alloc(1024)
  file.write('d0cf11e0a1b11ae1', 'hex')
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(0, 48)
  file.write(stream, 512, 'utf16le')
  return file
}

function createTar(name: string, content: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write('ustar\0', 257)
  return Buffer.concat([header, Buffer.from(content.padEnd(512, '\0'))])
}

export const PACKED_FILES: AwkwardFile[] = [
  {
    name: 'a gzip file in two parts',
    content: () => Buffer.concat([gzipSync('id,t\n1,a\n'), gzipSync('2,b\n')]),
    ...AB,
  },
  {
    name: 'a gzip file in Latin-1',
    content: () => gzipSync(Buffer.from('id;ort\n1;Köln\n2;Gießen\n', 'latin1')),
    columns: ['id:integer', 'ort:text'],
    rows: [
      ['1', 'Köln'],
      ['2', 'Gießen'],
    ],
  },
  {
    name: 'a zip file as the Finder writes it',
    content: () => zip({ 'export/table.csv': TABLE, '__MACOSX/export/._table.csv': 'x', '.DS_Store': 'x' }),
    ...AB,
  },
  {
    name: 'lines of JSON in a zip file',
    content: () => zip({ 'a.jsonl': '{"id":1}\n{"id":2}\n' }),
    rows: [['1'], ['2']],
  },
  {
    name: 'a zip file with several tables',
    content: () => zip({ 'a.csv': TABLE, 'b.csv': TABLE, 'c.csv': TABLE, 'd.csv': TABLE }),
    refused: /holds 4 files: a\.csv, b\.csv, c\.csv and others\. Send one table at a time/,
  },
  {
    name: 'a workbook in a zip file',
    content: async () => zip({ 'a.xlsx': await writeWorkbook({ Data: [['a'], [1]] }) }),
    refused: /a workbook or zip file inside a packed file/,
  },
  {
    name: 'a Parquet file in a gzip file',
    content: async () => gzipSync(await writeColumns({ v: createLeaf({ type: 'INT64' }, [1n]) })),
    refused: /a Parquet file inside a packed file/,
  },
  { name: 'a tar archive', content: () => gzipSync(createTar('a.csv', TABLE)), refused: /a tar archive/ },
  {
    name: 'a sheet of LibreOffice',
    content: () => zip({ mimetype: 'x', 'content.xml': '<x/>', 'styles.xml': '<x/>' }),
    refused: /OpenDocument/,
  },
  {
    name: 'a document of Word',
    content: () => zip({ '[Content_Types].xml': '<x/>', 'word/document.xml': '<x/>' }),
    refused: /a Word document/,
  },
  {
    name: 'a binary workbook',
    content: () => zip({ 'xl/workbook.bin': 'x', 'xl/worksheets/sheet1.bin': 'x' }),
    refused: /\.xlsb.*Save the table as \.xlsx or CSV/,
  },
  {
    name: 'a document of Numbers',
    content: () => zip({ 'Index/Document.iwa': 'x', 'preview.jpg': 'x' }),
    refused: /Numbers/,
  },
  {
    name: 'a workbook with a password',
    content: () => compoundFile('EncryptedPackage'),
    refused: /protected by a password/,
  },
  { name: 'an old workbook', content: () => compoundFile('Workbook'), refused: /old kind \(\.xls\)/ },
  {
    name: 'a message of Outlook',
    content: () => compoundFile('__properties_version1.0'),
    refused: /message of Outlook/,
  },
  {
    name: 'a report for Excel that is a web archive',
    content: 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"\r\n\r\n--x\r\n<html>',
    refused: /a mail or web archive/,
  },
  { name: 'a file of SPSS', content: `$FL2@(#) SPSS DATA FILE${'\0'.repeat(50)}`, refused: /a file of SPSS/ },
  { name: 'a file of Stata', content: '<stata_dta><header><release>118', refused: /a file of Stata/ },
  {
    name: 'an address book',
    content: 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n',
    refused: /an address book/,
  },
]
