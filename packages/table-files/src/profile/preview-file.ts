import { isUtf8Head, markedEncoding } from '../detect/encoding.ts'
import { assertText } from '../detect/not-a-table.ts'
import { type ByteSource, FileFault, bufferSource, readHead } from '../read/byte-source.ts'
import { type FileDialect, shorten } from '../read/dialect.ts'
import { createTextDecoder } from '../read/text-decoder.ts'
import { type FilePacking, detectPacking, unpack } from '../read/unpack.ts'
import { readSheetNames } from '../read/xlsx-rows.ts'
import type { FileProfile, ProfileOptions } from './file-profile.ts'
import { profileFile } from './profile-file.ts'

const PREVIEW_ROWS = 200
const PREVIEW_BYTES = 64 * 1024
const MAX_LINES = 12
const MAX_LINE_CHARACTERS = 300
/** Workbooks and Parquet must be read whole. */
const MAX_WHOLE_BYTES = 32 * 1024 * 1024

export interface FilePreview {
  readonly profile: FileProfile | undefined
  readonly sheets: readonly string[]
  readonly problem: string | undefined
  readonly lines: readonly string[]
}

export async function previewFile(
  source: ByteSource,
  { given = {}, fileName, signal }: Pick<ProfileOptions, 'given' | 'fileName' | 'signal'>,
): Promise<FilePreview> {
  let head: Buffer = Buffer.alloc(0)
  let packing: FilePacking | undefined
  const options = {
    given,
    maxRows: PREVIEW_ROWS,
    headBytes: PREVIEW_BYTES,
    isHeadOnly: true,
    ...(fileName !== undefined && { fileName }),
    ...(signal && { signal }),
  }
  try {
    packing = await detectPacking(source)
    const isText = packing !== 'xlsx' && packing !== 'parquet'
    if (!isText && source.size > MAX_WHOLE_BYTES)
      throw new FileFault('The file is too large for a preview. Read it to see its rows.')
    if (isText) head = await readHead(unpack(source, packing), PREVIEW_BYTES)
    const profile = await profileFile(isText ? bufferSource(head) : source, options)
    return { profile, sheets: profile.sheets, problem: undefined, lines: toLines(head, profile.dialect.encoding) }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    const sheets = packing === 'xlsx' ? await readSheetNames(source).catch(() => []) : []
    return { profile: undefined, sheets, problem: error.message, lines: toLines(head, given.encoding) }
  }
}

function toLines(head: Buffer, given: FileDialect['encoding'] | undefined): string[] {
  const encoding = given ?? markedEncoding(head) ?? (isUtf8Head(head) ? 'utf-8' : 'windows-1252')
  const text = createTextDecoder(encoding).decode(head)
  try {
    assertText(Buffer.from(text))
  } catch {
    return []
  }
  return text
    .split(/\r\n|\n|\r/, MAX_LINES)
    .map((line) => shorten(line, MAX_LINE_CHARACTERS).replaceAll('\0', '\u2400'))
}
