import { createHash } from 'node:crypto'
import type { Destination, WriteRequest, Writer } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { readBatchRows } from '@trellis/connector-kit/copy-text'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { WRITE_FORMATS } from '@trellis/table-files/write/file-formats'
import { type Bucket, toBucketError, openBucket } from './client.ts'
import { type FileFormat, encodeRows, toFileFormat } from './encode-rows.ts'

const targetForma: Forma = {
  forma_trellis_code: 's3_files_target',
  title: 'Where to write',
  sections: [
    {
      reference: 'target',
      order: 1,
      title: 'Files',
      is_required: true,
      elements: [
        {
          reference: 'prefix',
          order: 1,
          type: 'text',
          data_type: 'str',
          label: 'Folder',
          help: 'Use one for each table: Replace deletes earlier loads in it.',
          properties: {
            placeholder: 'trellis/orders',
            max_length: 800,
            pattern: '^[^/].*$',
            pattern_message: 'Begin without a slash.',
          },
        },
        {
          reference: 'format',
          order: 2,
          type: 'select',
          data_type: 'str',
          label: 'Format',
          default: 'csv',
          properties: {
            options: [
              { value: 'csv', label: 'CSV' },
              { value: 'jsonl', label: 'JSON lines' },
              { value: 'parquet', label: 'Parquet' },
            ],
          },
        },
      ],
    },
  ],
}

export const destination: Destination = {
  queryFormas: [targetForma],
  strategies: ['Append', 'Replace'],
  open: async (context, request) => {
    const bucket = await openBucket(context)
    return await openWriter({ context, bucket }, request)
  },
}

interface Work {
  readonly context: ConnectorContext
  readonly bucket: Bucket
}

const DONE = '_done'
const PART = /^(load-[0-9a-z-]+)\/(part-(\d{6})-(\d+)\.[a-z]+|_done)$/

async function openWriter(work: Work, request: WriteRequest): Promise<Writer> {
  const { prefix, format } = parseTarget(request.query)
  const load = loadFolder(request.loadId)
  const own = `${prefix}${load}/`
  const parts = await listParts(work, own)
  const done = parts.get(DONE)
  let committed = 0
  while (parts.has(committed + 1)) committed += 1
  let next = committed + 1
  let rows = Array.from({ length: committed }, (_, at) => parts.get(at + 1) ?? 0).reduce((sum, one) => sum + one, 0)
  return {
    committedBatches: committed,
    write: async (batch) => {
      const values = readBatchRows(batch, request.fields)
      const body = await encodeRows(format, request.fields, values)
      const name = `part-${String(next).padStart(6, '0')}-${values.length}.${WRITE_FORMATS[format].extension}`
      await put(work, own + name, { body, type: WRITE_FORMATS[format].contentType })
      next += 1
      rows += values.length
    },
    finish: async () => {
      if (done === undefined) await put(work, own + DONE, { body: Buffer.from(`${rows}\n`), type: 'text/plain' })
      if (request.strategy === 'Replace') await removeOthers(work, { prefix, load })
      return { rows }
    },
    abandon: async () => {
      if (done === undefined) for (const key of await listKeys(work, own)) await remove(work, key)
    },
  }
}

function parseTarget(values: FormaValues): { prefix: string; format: FileFormat } {
  const { prefix, format } = (values['target'] ?? {}) as { prefix?: string; format?: unknown }
  const folder = (prefix ?? '').trim().replaceAll(/^\/+|\/+$/g, '')
  return { prefix: folder === '' ? '' : `${folder}/`, format: toFileFormat(format) }
}

const loadFolder = (loadId: string) =>
  `load-${/^[0-9a-z-]{1,60}$/.test(loadId) ? loadId : createHash('sha256').update(loadId).digest('hex').slice(0, 32)}`

async function listParts(work: Work, own: string): Promise<Map<number | typeof DONE, number>> {
  const parts = new Map<number | typeof DONE, number>()
  for (const key of await listKeys(work, own)) {
    const name = key.slice(own.length)
    const [, number, rows] = /^part-(\d{6})-(\d+)\./.exec(name) ?? []
    if (name === DONE) parts.set(DONE, 0)
    else if (number) parts.set(Number(number), Number(rows))
  }
  return parts
}

/** Only files written by our loads; others in the folder are the user's. */
async function removeOthers(work: Work, { prefix, load }: { prefix: string; load: string }): Promise<void> {
  for (const key of await listKeys(work, prefix)) {
    const [, folder] = PART.exec(key.slice(prefix.length)) ?? []
    if (folder !== undefined && folder !== load) await remove(work, key)
  }
}

async function listKeys({ context, bucket }: Work, prefix: string): Promise<string[]> {
  const keys: string[] = []
  let after: string | undefined
  do {
    context.signal.throwIfAborted()
    const page = await sendCommand({ context, bucket }, () =>
      bucket.client.send(
        new bucket.sdk.ListObjectsV2Command({ Bucket: bucket.name, Prefix: prefix, ContinuationToken: after }),
      ),
    )
    keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key))
    after = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (after !== undefined)
  return keys
}

async function put(work: Work, key: string, { body, type }: { body: Uint8Array; type: string }): Promise<void> {
  const { bucket } = work
  await sendCommand(work, () =>
    bucket.client.send(
      new bucket.sdk.PutObjectCommand({ Bucket: bucket.name, Key: key, Body: body, ContentType: type }),
    ),
  )
}

async function remove(work: Work, key: string): Promise<void> {
  const { bucket } = work
  await sendCommand(work, () =>
    bucket.client.send(new bucket.sdk.DeleteObjectCommand({ Bucket: bucket.name, Key: key })),
  )
}

async function sendCommand<T>({ context, bucket }: Work, send: () => Promise<T>): Promise<T> {
  context.signal.throwIfAborted()
  try {
    return await send()
  } catch (error) {
    context.signal.throwIfAborted()
    throw toBucketError(error, bucket.name)
  }
}
