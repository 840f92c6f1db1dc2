import type { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import { DEFAULT_TYPE, LIST_LIMIT, type ObjectStore, assertKey, assertPrefix, objectMissing } from './object-store.ts'
import { type UploadTarget, uploadStream } from './s3-upload.ts'

export interface S3Settings {
  bucket: string
  endpoint?: string | undefined
  region: string
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
}

/** The AWS SDK is large, so it is loaded on first use. */
export function createS3Store(settings: S3Settings): ObjectStore {
  const { bucket: Bucket } = settings
  let opened: Promise<{ client: Sdk.S3Client; sdk: typeof Sdk }> | undefined
  const open = async () => await (opened ??= connect(settings))

  return {
    assertSpace: async () => {},
    put: async (key, body, options = {}) => {
      assertKey(key)
      const target: UploadTarget = {
        ...(await open()),
        Bucket,
        Key: key,
        ContentType: options.contentType ?? DEFAULT_TYPE,
      }
      return await uploadStream(target, body)
    },
    get: async (key, options = {}) => {
      assertKey(key)
      const { client, sdk } = await open()
      const { range } = options
      const Range = range && `bytes=${range.start}-${range.end ?? ''}`
      try {
        const answer = await client.send(new sdk.GetObjectCommand({ Bucket, Key: key, ...(Range && { Range }) }))
        const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1]
        return {
          ...toObjectInfo(key, answer),
          size: Number(total ?? answer.ContentLength ?? 0),
          stream: answer.Body as Readable,
        }
      } catch (error) {
        throw isMissing(error) ? objectMissing() : error
      }
    },
    stat: async (key) => {
      assertKey(key)
      const { client, sdk } = await open()
      try {
        return toObjectInfo(key, await client.send(new sdk.HeadObjectCommand({ Bucket, Key: key })))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    delete: async (key) => {
      assertKey(key)
      const { client, sdk } = await open()
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }))
    },
    list: async (prefix, { after, limit = LIST_LIMIT } = {}) => {
      assertPrefix(prefix)
      const { client, sdk } = await open()
      const answer = await client.send(
        new sdk.ListObjectsV2Command({
          Bucket,
          Prefix: prefix,
          MaxKeys: Math.min(limit, LIST_LIMIT),
          ...(after && { StartAfter: after }),
        }),
      )
      const objects = (answer.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
        key: Key,
        size: Size,
        modifiedAt: LastModified,
      }))
      return { objects, nextAfter: answer.IsTruncated ? objects.at(-1)?.key : undefined }
    },
  }
}

async function connect(settings: S3Settings) {
  const sdk = await import('@aws-sdk/client-s3')
  const { region, endpoint, accessKeyId, secretAccessKey } = settings
  const client = new sdk.S3Client({
    region,
    forcePathStyle: true,
    maxAttempts: 4,
    // Only Amazon supports checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  })
  return { client, sdk }
}

function toObjectInfo(
  key: string,
  answer: Pick<Sdk.HeadObjectCommandOutput, 'ContentLength' | 'ContentType' | 'LastModified'>,
) {
  const { ContentLength = 0, ContentType = DEFAULT_TYPE, LastModified = new Date(0) } = answer
  return { key, size: ContentLength, contentType: ContentType, modifiedAt: LastModified }
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket')
}
