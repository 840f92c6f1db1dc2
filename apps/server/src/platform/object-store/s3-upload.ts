import { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'

export interface UploadTarget {
  client: Sdk.S3Client
  sdk: typeof Sdk
  Bucket: string
  Key: string
  ContentType: string
}

/** S3 allows 10,000 parts of at least 5 MB: growing parts keep memory low up to 5 TB. */
const FIRST_PART = 8 * 1024 * 1024
const PARTS_PER_SIZE = 1000

/** S3 needs the length in advance, so streams are uploaded in parts. */
export async function uploadStream(target: UploadTarget, body: Readable | Uint8Array): Promise<{ size: number }> {
  const { client, sdk, ContentType, ...place } = target
  const parts = splitParts(body instanceof Readable ? body : Readable.from([Buffer.from(body)]))
  const first = await parts.next()
  if (first.done || first.value.isLast) {
    const Body = first.done ? Buffer.alloc(0) : first.value.bytes
    await client.send(new sdk.PutObjectCommand({ ...place, ContentType, Body, ContentLength: Body.length }))
    return { size: Body.length }
  }
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ ...place, ContentType }))
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = []
    let size = 0
    const send = async (Body: Buffer) => {
      const PartNumber = Parts.length + 1
      const { ETag } = await client.send(
        new sdk.UploadPartCommand({ ...place, UploadId, PartNumber, Body, ContentLength: Body.length }),
      )
      Parts.push({ ETag, PartNumber })
      size += Body.length
    }
    await send(first.value.bytes)
    for await (const part of parts) await send(part.bytes)
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }))
    return { size }
  } catch (error) {
    // Orphaned parts cost money and appear in no listing.
    await client.send(new sdk.AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined)
    throw error
  }
}

async function* splitParts(stream: Readable): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let chunks: Buffer[] = []
  let held = 0
  let sent = 0
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    const wanted = FIRST_PART * (1 + Math.floor(sent / PARTS_PER_SIZE))
    if (held >= wanted) {
      yield { bytes: Buffer.concat(chunks), isLast: false }
      chunks = []
      held = 0
      sent += 1
    }
    chunks.push(bytes)
    held += bytes.length
  }
  if (held > 0) yield { bytes: Buffer.concat(chunks), isLast: true }
}
