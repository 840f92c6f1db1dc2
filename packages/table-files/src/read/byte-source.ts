export interface ByteSource {
  readonly size: number
  /** `end` is exclusive. */
  stream(range?: { readonly start?: number; readonly end?: number }): AsyncIterable<Uint8Array>
}

export const MAX_FIELD_BYTES = 16 * 1024 * 1024
export const MAX_RECORD_BYTES = 32 * 1024 * 1024
export const MAX_COLUMNS = 1600

export class FileFault extends Error {
  override readonly name = 'FileFault'
}

export async function readRange(source: ByteSource, start: number, end: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source.stream({ start, end: Math.min(end, source.size) })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export async function readHead(bytes: AsyncIterable<Uint8Array>, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let got = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    got += chunk.length
    if (got >= length) break
  }
  return Buffer.concat(chunks).subarray(0, length)
}

export function bufferSource(bytes: Uint8Array, chunkBytes = 64 * 1024): ByteSource {
  return {
    size: bytes.length,
    async *stream({ start = 0, end = bytes.length } = {}) {
      for (let at = start; at < end; at += chunkBytes) yield bytes.subarray(at, Math.min(at + chunkBytes, end))
    },
  }
}
