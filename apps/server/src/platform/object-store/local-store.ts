import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { closeToOthers } from './restrict-permissions.ts'
import { checkEvery, readDiskUse } from './disk-use.ts'
import {
  DEFAULT_TYPE,
  LIST_LIMIT,
  type ObjectInfo,
  type ObjectStore,
  assertKey,
  assertPrefix,
  diskFull,
  objectMissing,
} from './object-store.ts'

/** Not allowed in keys, so that files cannot collide with folders and drafts are never listed. */
const DATA = '~'
const TYPE = '~type'
const DRAFTS = '~drafts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

const LOOK_EVERY_BYTES = 16 * 1024 * 1024

const MAX_PIECE_BYTES = 4 * 1024 * 1024

/** Extra space for short-lived files. */
const RESERVE = 0.05

interface SpaceLimit {
  /** Share of the disk at which writes are refused: a full disk takes the databases down. */
  readonly limit: number
  readonly readUse?: (folder: string) => Promise<number>
}

const NO_LIMIT: SpaceLimit = { limit: 1 }

export function createLocalStore(root: string, { limit, readUse = readDiskUse }: SpaceLimit = NO_LIMIT): ObjectStore {
  closeToOthers(root)
  const assertSpace = async (reserve = 0): Promise<void> => {
    if (limit < 1 && (await readUse(root)) >= limit + reserve) throw diskFull()
  }
  const toPath = (key: string): string => {
    assertKey(key)
    return join(root, `${key}${DATA}`)
  }
  const readContentType = async (key: string): Promise<string> =>
    (await readFile(join(root, `${key}${TYPE}`), 'utf8').catch(returnIfMissing(undefined))) ?? DEFAULT_TYPE

  let swept: Promise<void> | undefined
  return {
    assertSpace: () => assertSpace(),
    put: async (key, body, options = {}) => {
      const path = toPath(key)
      const draft = join(root, DRAFTS, randomUUID())
      try {
        await (swept ??= sweepDrafts(join(root, DRAFTS)))
        const checkSpace = () => assertSpace(options.isShortLived ? RESERVE : 0)
        await checkSpace()
        const how = { mode: FILE_MODE, flush: !options.isShortLived }
        const isSmall = !(body instanceof Readable) && body.length < LOOK_EVERY_BYTES
        if (isSmall) await writeFile(draft, body, { ...how, flag: 'wx' })
        else {
          await pipeline(
            body instanceof Readable ? body : Readable.from([body]),
            checkEvery(LOOK_EVERY_BYTES, checkSpace),
            createWriteStream(draft, { ...how, flags: 'wx' }),
          )
        }
        const size = isSmall ? body.length : (await stat(draft)).size
        await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
        await saveContentType(join(root, `${key}${TYPE}`), options.contentType ?? DEFAULT_TYPE)
        await rename(draft, path)
        if (!options.isShortLived) await syncFolder(dirname(path))
        return { size }
      } catch (error) {
        await rm(draft, { force: true })
        throw isFull(error) ? diskFull(error) : error
      }
    },
    get: async (key, options = {}) => {
      // One handle for both, so that a concurrent replacement is not mixed in.
      const file = await open(toPath(key), 'r').catch(returnIfMissing(undefined))
      if (!file) throw objectMissing()
      const [{ size, mtime }, contentType] = await Promise.all([file.stat(), readContentType(key)])
      const stream = createReadStream('', {
        fd: file,
        ...(size <= MAX_PIECE_BYTES && { highWaterMark: Math.max(1, size) }),
        start: options.range?.start ?? 0,
        ...(options.range?.end !== undefined && { end: options.range.end }),
      })
      return { key, size, modifiedAt: mtime, contentType, stream }
    },
    stat: async (key) => {
      const found = await stat(toPath(key)).catch(returnIfMissing(undefined))
      return found && { key, size: found.size, modifiedAt: found.mtime, contentType: await readContentType(key) }
    },
    delete: async (key) => {
      await rm(toPath(key), { force: true })
      await rm(join(root, `${key}${TYPE}`), { force: true })
    },
    list: async (prefix, { after = '', limit = LIST_LIMIT } = {}) => {
      assertPrefix(prefix)
      const objects: ObjectInfo[] = []
      for await (const key of listKeysIn(root, '', { prefix, after })) {
        if (objects.length === limit) return { objects, nextAfter: objects.at(-1)?.key }
        const found = await stat(join(root, `${key}${DATA}`)).catch(returnIfMissing(undefined))
        if (found) objects.push({ key, size: found.size, modifiedAt: found.mtime })
      }
      return { objects, nextAfter: undefined }
    },
  }
}

/** Folders sort with a trailing slash, so keys come in byte order. */
async function* listKeysIn(
  root: string,
  folder: string,
  wanted: { prefix: string; after: string },
): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(returnIfMissing([]))
  const found = entries
    .filter((entry) => (entry.isFile() ? entry.name.endsWith(DATA) : entry.isDirectory() && entry.name !== DRAFTS))
    .map((entry) => folder + (entry.isFile() ? entry.name.slice(0, -DATA.length) : `${entry.name}/`))
    .toSorted((a, b) => (a < b ? -1 : 1))
  for (const name of found) {
    const isFolder = name.endsWith('/')
    const mayHold = name.startsWith(wanted.prefix) || (isFolder && wanted.prefix.startsWith(name))
    const isBehind = name <= wanted.after && !(isFolder && wanted.after.startsWith(name))
    if (!mayHold || isBehind) continue
    if (isFolder) yield* listKeysIn(root, name, wanted)
    else yield name
  }
}

async function saveContentType(path: string, contentType: string): Promise<void> {
  if (contentType === DEFAULT_TYPE) return await rm(path, { force: true })
  const draft = `${path}-${randomUUID()}`
  await writeFile(draft, contentType, { mode: FILE_MODE, flush: true })
  await rename(draft, path)
}

const DRAFT_LIFE_MS = 24 * 3600_000

async function sweepDrafts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  for (const name of await readdir(folder)) {
    const draft = await stat(join(folder, name)).catch(returnIfMissing(undefined))
    if (draft && draft.mtimeMs < Date.now() - DRAFT_LIFE_MS) await rm(join(folder, name), { force: true })
  }
}

/** Without fsync of the folder, a power cut may undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function returnIfMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return instead
    throw error
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}
