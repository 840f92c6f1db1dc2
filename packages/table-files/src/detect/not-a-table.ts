import { FileFault } from '../read/byte-source.ts'

const SIGNATURES: readonly [signature: string, name: string][] = [
  ['%PDF-', 'a PDF document'],
  ['\u0089PNG\r\n', 'a picture (PNG)'],
  ['\u00ff\u00d8\u00ff', 'a picture (JPEG)'],
  ['GIF87a', 'a picture (GIF)'],
  ['GIF89a', 'a picture (GIF)'],
  ['II*\0', 'a picture (TIFF)'],
  ['MM\0*', 'a picture (TIFF)'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['7z\u00bc\u00af\u0027\u001c', 'a 7z archive'],
  ['Rar!\u001a\u0007', 'a RAR archive'],
  ['\u0028\u00b5\u002f\u00fd', 'a file packed with zstd'],
  ['BZh91AY', 'a file packed with bzip2'],
  ['\u00fd7zXZ\0', 'a file packed with xz'],
  ['\u007fELF', 'a program'],
  ['Obj\u0001', 'an Avro file'],
  ['ARROW1\0\0', 'an Arrow file'],
  ['{\\rtf', 'a text document (RTF)'],
  ['$FL2@(#)', 'a file of SPSS'],
  ['$FL3@(#)', 'a file of SPSS'],
  ['<stata_dta>', 'a file of Stata'],
  ['\u0089HDF\r\n', 'an HDF5 file'],
  ['ORC\u0008', 'an ORC file'],
  ['\0\u0001\0\0Standard ', 'an Access database'],
  ['BEGIN:VCALENDAR', 'a calendar'],
  ['BEGIN:VCARD', 'an address book'],
  ['PK\u0003\u0004', 'a workbook or zip file inside a packed file'],
  ['PAR1', 'a Parquet file inside a packed file'],
  ['\u001f\u008b', 'a gzip file inside a packed file'],
]

const PATTERNS: readonly [pattern: RegExp, name: string][] = [
  [/^RIFF....WEBP/s, 'a picture (WebP)'],
  [/^BM.{4}\0\0\0\0/s, 'a picture (BMP)'],
  [/^MZ.{58,}PE\0\0/s, 'a program'],
  [/^.{257}ustar[\0 ]/s, 'a tar archive'],
  // Excel reports are often MHTML files.
  [
    /^(?:mime-version|content-type|message-id|return-path|received|delivered-to|from): [^\n]*\n(?:\s[^\n]*\n)*[\w-]+: /i,
    'a mail or web archive',
  ],
  [
    /^(?:\u00ef\u00bb\u00bf)?\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>]|table[\s>])/is,
    'a web page',
  ],
  [
    /^(?:\u00ef\u00bb\u00bf)?(?:\s*--[^\n]*\n)*\s*(?:insert into [\w."`[\]]+ ?(?:\([^)]*\) ?)?values|create table [\w."`[\] ]+\()/i,
    'a script of SQL',
  ],
  [/^(?:\u00ef\u00bb\u00bf)?\s*<(?:\?xml\s|[\w:]+ xmlns)/i, 'an XML file'],
]

const ADVICE = 'Send CSV, JSON, XLSX or Parquet.'
const HEAD_BYTES = 4096
const MAX_CONTROL_SHARE = 0.02

export function assertTable(head: Buffer): void {
  const text = head.subarray(0, HEAD_BYTES).toString('latin1')
  const other =
    SIGNATURES.find(([signature]) => text.startsWith(signature)) ?? PATTERNS.find(([pattern]) => pattern.test(text))
  if (other) throw new FileFault(`This is ${other[1]}, not a table. ${ADVICE}`)
}

export function assertText(utf8: Buffer): void {
  let control = 0
  const bytes = utf8.subarray(0, 64 * 1024)
  for (const byte of bytes)
    if (byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 1 && (byte < 28 || byte > 31)) control += 1
  if (control > 2 && control > bytes.length * MAX_CONTROL_SHARE) {
    throw new FileFault(`This is not a table as text. ${ADVICE}`)
  }
}
