import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { assertNoCompoundFile, assertNoDocument } from '../detect/office-files.ts'
import { type ByteSource, FileFault, readRange } from './byte-source.ts'
import { openZip } from './zip.ts'

export type FilePacking = 'plain' | 'gzip' | 'zip' | 'xlsx' | 'parquet'

/** Far above real tables, far below decompression bombs. */
const MAX_GROWTH = 100
const FREE_BYTES = 64 * 1024 * 1024
const MAX_BYTES = 50 * 1024 ** 3

/** By magic bytes, not by name. */
export async function detectPacking(source: ByteSource): Promise<FilePacking> {
  const head = await readRange(source, 0, 8)
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet'
  if (head.subarray(0, 4).toString('latin1') !== 'PK\u0003\u0004') {
    await assertNoCompoundFile(source, head)
    return 'plain'
  }
  const names = (await openZip(source)).entries.map(({ fileName }) => fileName)
  if (names.includes('xl/workbook.xml')) return 'xlsx'
  assertNoDocument(names)
  return 'zip'
}

export async function* unpack(source: ByteSource, packing: FilePacking): AsyncGenerator<Uint8Array> {
  if (packing === 'gzip') yield* limitInflation(gunzip(source), source.size)
  else if (packing === 'zip') yield* unzipOnly(source)
  else yield* source.stream()
}

async function* gunzip(source: ByteSource): AsyncGenerator<Uint8Array> {
  const gunzipped = createGunzip()
  const input = Readable.from(source.stream(), { objectMode: true })
  input.on('error', (error) => gunzipped.destroy(error))
  try {
    for await (const chunk of input.pipe(gunzipped)) yield chunk as Uint8Array
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw new FileFault('The gzip file is damaged or not complete. Send it again.', { cause: error })
    }
    throw error
  } finally {
    input.destroy()
    gunzipped.destroy()
  }
}

/** Aborts decompression bombs. */
export async function* limitInflation(
  bytes: AsyncIterable<Uint8Array>,
  packedBytes: number,
): AsyncGenerator<Uint8Array> {
  const limit = Math.min(MAX_BYTES, Math.max(FREE_BYTES, packedBytes * MAX_GROWTH))
  let total = 0
  for await (const chunk of bytes) {
    total += chunk.length
    if (total > limit) {
      throw new FileFault('The packed file holds far more than its size allows. Unpack it and send what is inside.')
    }
    yield chunk
  }
}

const MAX_NAMED = 3

const nameFiles = (files: readonly { fileName: string }[]): string =>
  files
    .slice(0, MAX_NAMED)
    .map(({ fileName }) => fileName)
    .join(', ') + (files.length > MAX_NAMED ? ' and others' : '')

async function* unzipOnly(source: ByteSource): AsyncGenerator<Uint8Array> {
  const zip = await openZip(source)
  const files = zip.entries.filter(
    ({ fileName }) => !fileName.endsWith('/') && !/(?:^|\/)(?:__MACOSX|\.DS_Store)/.test(fileName),
  )
  const [file] = files
  if (!file || files.length !== 1) {
    throw new FileFault(
      file
        ? `The zip file holds ${files.length} files: ${nameFiles(files)}. Send one table at a time.`
        : 'The zip file holds no file.',
    )
  }
  yield* limitInflation(zip.read(file), file.compressedSize)
}
