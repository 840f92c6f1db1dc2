import type { Readable } from 'node:stream'
import { PART_BYTES } from '@trellis/contract/uploads/uploads.schemas'
import type { ByteSource } from '@trellis/table-files/read/byte-source'
import type { ObjectStore } from '../../platform/object-store/object-store.ts'

export interface StoredUpload {
  readonly id: string
  readonly workspace_id: number
  readonly size_bytes: number
}

const toKeyPrefix = (file: Pick<StoredUpload, 'id' | 'workspace_id'>) => `uploads/${file.workspace_id}/${file.id}/`

export const toPartKey = (file: Pick<StoredUpload, 'id' | 'workspace_id'>, part: number) =>
  `${toKeyPrefix(file)}${String(part).padStart(5, '0')}`

export const countParts = (sizeBytes: number): number => Math.ceil(sizeBytes / PART_BYTES)

export const getPartSize = (sizeBytes: number, part: number): number =>
  Math.min(PART_BYTES, sizeBytes - (part - 1) * PART_BYTES)

export async function putPart(
  objects: ObjectStore,
  file: Pick<StoredUpload, 'id' | 'workspace_id'>,
  { part, body }: { part: number; body: Readable | Uint8Array },
): Promise<number> {
  return (await objects.put(toPartKey(file, part), body)).size
}

export async function deleteParts(
  objects: ObjectStore,
  file: Pick<StoredUpload, 'id' | 'workspace_id'>,
): Promise<void> {
  await deleteWithPrefix(objects, toKeyPrefix(file))
}

export async function deleteAllParts(objects: ObjectStore, workspaceId: number): Promise<void> {
  await deleteWithPrefix(objects, `uploads/${workspaceId}/`)
}

async function deleteWithPrefix(objects: ObjectStore, prefix: string): Promise<void> {
  for (;;) {
    const { objects: objectInfos } = await objects.list(prefix, { limit: 500 })
    if (objectInfos.length === 0) return
    for (const { key } of objectInfos) await objects.delete(key)
  }
}

export function openFileSource(objects: ObjectStore, file: StoredUpload): ByteSource {
  return {
    size: file.size_bytes,
    async *stream({ start = 0, end = file.size_bytes } = {}) {
      let offset = start
      while (offset < end) {
        const part = Math.floor(offset / PART_BYTES) + 1
        const from = offset - (part - 1) * PART_BYTES
        const to = Math.min(end - (part - 1) * PART_BYTES, getPartSize(file.size_bytes, part))
        const { stream } = await objects.get(toPartKey(file, part), { range: { start: from, end: to - 1 } })
        try {
          for await (const chunk of stream) {
            offset += (chunk as Uint8Array).length
            yield chunk as Uint8Array
          }
        } finally {
          stream.destroy()
        }
      }
    },
  }
}
