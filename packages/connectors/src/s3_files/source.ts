import { matchesGlob } from 'node:path'
import type { Readable } from 'node:stream'
import type { Source } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import type { ByteSource } from '@trellis/table-files/read/byte-source'
import { buildFileElements, readFileElements } from '../shared/files/file-forma.ts'
import type { RemoteFile } from '../shared/files/profiled-file.ts'
import { readFiles } from '../shared/files/read-files.ts'
import { type Bucket, toBucketError, openBucket } from './client.ts'

const queryForma: Forma = {
  forma_trellis_code: 's3_files_query',
  title: 'What to read',
  sections: [
    {
      reference: 'query',
      order: 1,
      title: 'Files',
      is_required: true,
      elements: [
        {
          reference: 'prefix',
          order: 1,
          type: 'text',
          data_type: 'str',
          is_optional: true,
          label: 'Folder',
          help: 'What the keys begin with; the whole bucket when empty.',
          properties: { placeholder: 'exports/orders/', max_length: 1000 },
        },
        {
          reference: 'pattern',
          order: 2,
          type: 'text',
          data_type: 'str',
          is_optional: true,
          label: 'Pattern',
          help: 'Behind the folder: * stands for anything but a slash, ** for anything.',
          properties: { placeholder: '**/*.csv', max_length: 300 },
        },
        ...buildFileElements(3),
      ],
    },
  ],
}

export const source: Source = {
  queryFormas: [queryForma],
  buildQuery: (subtask) => ({ query: { prefix: subtask, format: 'auto', which: 'all' } }),
  read: async (context, request) => {
    const bucket = await openBucket(context)
    const files = await listFiles(context, bucket, request.query).catch((error: unknown) => {
      context.signal.throwIfAborted()
      throw toBucketError(error, bucket.name)
    })
    return await readFiles(context, files, { request, reading: readFileElements(request.query) })
  },
}

/** In the order of modification, so that rows arrive in the order they were written. */
async function listFiles(context: ConnectorContext, bucket: Bucket, query: FormaValues): Promise<RemoteFile[]> {
  const { prefix = '', pattern = '' } = (query['query'] ?? {}) as { prefix?: string; pattern?: string }
  const found: { key: string; size: number; at: string; tag: string }[] = []
  let after: string | undefined
  do {
    context.signal.throwIfAborted()
    const page = await bucket.client.send(
      new bucket.sdk.ListObjectsV2Command({ Bucket: bucket.name, Prefix: prefix, ContinuationToken: after }),
    )
    for (const { Key = '', Size = 0, LastModified, ETag = '' } of page.Contents ?? []) {
      if (Size > 0 && isWanted(Key.slice(prefix.length), pattern)) {
        found.push({ key: Key, size: Size, at: LastModified?.toISOString() ?? '', tag: ETag })
      }
    }
    after = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (after !== undefined)
  const order = found.toSorted((a, b) => a.at.localeCompare(b.at) || (a.key < b.key ? -1 : 1))
  return order.map(({ key, size, at, tag }) => ({
    name: key,
    version: `${at} ${tag}`,
    size,
    open: async () => objectSource({ context, bucket, key }, { size, tag }),
  }))
}

const isWanted = (rest: string, pattern: string) =>
  !/(^|\/)_[^/]*$/.test(rest) && (pattern.trim() === '' || matchesGlob(rest.replace(/^\//, ''), pattern.trim()))

/** Deleted, replaced (If-Match) or shorter than the part, since it was listed. */
const CHANGED = [404, 412, 416]

function objectSource(
  { context, bucket, key }: { context: ConnectorContext; bucket: Bucket; key: string },
  { size, tag }: { size: number; tag: string },
): ByteSource {
  return {
    size,
    async *stream({ start = 0, end = size } = {}) {
      if (end <= start) return
      try {
        const { Body, ETag } = await bucket.client.send(
          new bucket.sdk.GetObjectCommand({
            Bucket: bucket.name,
            Key: key,
            Range: `bytes=${start}-${end - 1}`,
            ...(tag && { IfMatch: tag }),
          }),
        )
        // Some stores ignore If-Match.
        if (tag && ETag && ETag !== tag) {
          ;(Body as unknown as Readable).destroy()
          throw new SourceChanged(key)
        }
        for await (const chunk of Body as unknown as AsyncIterable<Uint8Array>) yield chunk
      } catch (error) {
        context.signal.throwIfAborted()
        const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
        if (CHANGED.includes($metadata?.httpStatusCode ?? 0)) throw new SourceChanged(key)
        throw toBucketError(error, bucket.name)
      }
    },
  }
}
