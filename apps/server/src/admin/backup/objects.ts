import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, pipeline } from 'node:stream'
import { AppError } from '../../platform/app-error.ts'
import { createLocalStore } from '../../platform/object-store/local-store.ts'
import { listObjects } from '../../platform/object-store/list-objects.ts'
import type { ObjectStore } from '../../platform/object-store/object-store.ts'
import { AdminError } from '../admin-error.ts'
import { createHashing, writeBackupFile } from './backup-files.ts'
import { type BackedUpFile, OBJECTS, OBJECT_LIST, damagedBackupError } from './manifest.ts'

interface CopiedObject {
  readonly key: string
  readonly size: number
  readonly sha256: string
  readonly type: string
}

export type CopiedObjects = Map<string, CopiedObject & { readonly modifiedAt: number }>

export const openBackupStore = (folder: string, limit = 1) => createLocalStore(join(folder, OBJECTS), { limit })

/** Incremental. */
export async function copyObjects(from: ObjectStore, to: ObjectStore, copied: CopiedObjects): Promise<void> {
  for await (const { key, size, modifiedAt } of listObjects(from)) {
    const known = copied.get(key)
    if (known?.modifiedAt === modifiedAt.getTime() && known.size === size) continue
    const copy = await copyObject(from, to, key)
    if (copy) copied.set(key, { ...copy, modifiedAt: modifiedAt.getTime() })
  }
}

async function copyObject(from: ObjectStore, to: ObjectStore, key: string): Promise<CopiedObject | undefined> {
  const found = await from.get(key).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
  if (!found) return undefined
  const hashing = createHashing()
  pipeline(found.stream, hashing.through, () => undefined)
  await to.put(key, hashing.through, { contentType: found.contentType })
  return { key, type: found.contentType, ...hashing.digest() }
}

export async function writeObjectList(folder: string, copied: CopiedObjects): Promise<BackedUpFile> {
  const lines = [...copied.values()].map(({ modifiedAt: _, ...object }) => `${JSON.stringify(object)}\n`)
  return await writeBackupFile(folder, OBJECT_LIST, [Readable.from(lines)])
}

async function* readObjectList(folder: string): AsyncGenerator<CopiedObject> {
  const path = join(folder, OBJECT_LIST)
  for await (const line of createInterface({ input: createReadStream(path) })) {
    yield JSON.parse(line) as CopiedObject
  }
}

export async function checkObjectCopies(folder: string): Promise<number> {
  const store = openBackupStore(folder)
  let count = 0
  for await (const { key, size, sha256 } of readObjectList(folder)) {
    const place = join(folder, OBJECTS, key)
    const { stream } = await store.get(key).catch(() => {
      throw damagedBackupError(place)
    })
    const hashing = createHashing()
    pipeline(stream, hashing.through, () => undefined)
    for await (const _ of hashing.through) continue
    const found = hashing.digest()
    if (found.size !== size || found.sha256 !== sha256) throw damagedBackupError(place)
    count += 1
  }
  return count
}

export async function restoreObjects(folder: string, to: ObjectStore): Promise<number> {
  const from = openBackupStore(folder)
  let count = 0
  for await (const { key, sha256 } of readObjectList(folder)) {
    const copy = await copyObject(from, to, key)
    if (copy?.sha256 !== sha256) throw new AdminError(`The file ${key} changed while it was restored.`)
    count += 1
  }
  return count
}
