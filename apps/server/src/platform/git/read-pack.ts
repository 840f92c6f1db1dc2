import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { applyDelta } from './delta.ts'
import { type GitObject, type ObjectKind, type StoredObject, toStored } from './objects.ts'

const KINDS: Record<number, ObjectKind | undefined> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const OFFSET_DELTA = 6
const ID_DELTA = 7
const MAX_DEPTH = 300

export class PackProblem extends Error {}

export interface PackLimits {
  readonly maxObjects: number
  readonly maxBytes: number
}

interface Entry {
  readonly type: number
  readonly data: Buffer
  readonly base: number | string | undefined
}

/** External delta bases are requested once, together. */
export async function readPack(
  pack: Buffer,
  limits: PackLimits,
  findBases: (ids: string[]) => Promise<ReadonlyMap<string, GitObject>>,
): Promise<StoredObject[]> {
  const entries = parseEntries(pack, limits)
  const resolved = new Map<number, StoredObject>()
  const byId = new Map<string, StoredObject>()
  const outside = new Map<string, GitObject>()
  let left = limits.maxBytes
  const resolve = (at: number, depth: number): StoredObject | undefined => {
    const done = resolved.get(at)
    if (done) return done
    const entry = entries.get(at)
    if (!entry || depth > MAX_DEPTH) throw new PackProblem('The pack has a delta without its base.')
    const object = resolveDelta(entry, (base) =>
      typeof base === 'number' ? resolve(base, depth + 1) : (byId.get(base) ?? outside.get(base)),
    )
    if (!object) return undefined
    left -= object.body.length
    if (left < 0) throw new PackProblem('The push is too large.')
    resolved.set(at, object)
    byId.set(object.id, object)
    return object
  }
  // A delta may refer to an object later in the pack, so this takes as many rounds as chains are long.
  for (let isAsked = false; ;) {
    const before = resolved.size
    for (const at of entries.keys()) resolve(at, 0)
    if (resolved.size === entries.size) return [...resolved.values()]
    if (resolved.size > before) continue
    if (isAsked) throw new PackProblem('The pack has a delta without its base.')
    isAsked = true
    const wanted = [...entries.values()].flatMap(({ base }) => (typeof base === 'string' ? [base] : []))
    for (const [id, object] of await findBases([...new Set(wanted)])) outside.set(id, object)
  }
}

function resolveDelta(
  { type, data, base }: Entry,
  findBase: (base: number | string) => GitObject | undefined,
): StoredObject | undefined {
  const kind = KINDS[type]
  if (kind) return toStored(kind, data)
  const origin = base === undefined ? undefined : findBase(base)
  if (!origin) return undefined
  const body = applyDelta(origin.body, data)
  if (!body) throw new PackProblem('The pack has a delta that does not fit its base.')
  return toStored(origin.kind, body)
}

function parseEntries(pack: Buffer, { maxObjects, maxBytes }: PackLimits): Map<number, Entry> {
  const end = pack.length - 20
  if (end < 12 || pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2) {
    throw new PackProblem('This is not a pack that git writes.')
  }
  if (!createHash('sha1').update(pack.subarray(0, end)).digest().equals(pack.subarray(end))) {
    throw new PackProblem('The pack was damaged on the way.')
  }
  const count = pack.readUInt32BE(8)
  if (count > maxObjects) throw new PackProblem(`A push may have ${maxObjects} objects.`)
  const entries = new Map<number, Entry>()
  let left = maxBytes
  for (let at = 12; entries.size < count;) {
    const { type, size, base, next } = parseHead(pack, at)
    left -= size
    if (left < 0) throw new PackProblem('The push is too large.')
    const { data, length } = inflateAt(pack.subarray(next, end), size)
    entries.set(at, { type, data, base })
    at = next + length
  }
  return entries
}

function parseHead(pack: Buffer, start: number) {
  let at = start
  const next = () => {
    const byte = pack[at]
    at += 1
    if (byte === undefined) throw new PackProblem('The pack is cut off.')
    return byte
  }
  let byte = next()
  const type = (byte >> 4) & 7
  let size = byte & 15
  for (let scale = 16; byte & 128; scale *= 128) {
    byte = next()
    size += (byte & 127) * scale
  }
  let base: number | string | undefined
  if (type === OFFSET_DELTA) {
    byte = next()
    let back = byte & 127
    while (byte & 128) {
      byte = next()
      back = (back + 1) * 128 + (byte & 127)
    }
    base = start - back
  } else if (type === ID_DELTA) {
    base = pack.toString('hex', at, at + 20)
    at += 20
  } else if (!KINDS[type]) throw new PackProblem('The pack has an object of a kind git does not have.')
  return { type, size, base, next: at }
}

function inflateAt(data: Buffer, size: number): { data: Buffer; length: number } {
  try {
    const options = { info: true, maxOutputLength: Math.max(size, 1) }
    const { buffer, engine } = inflateSync(data, options) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (buffer.length === size) return { data: buffer, length: engine.bytesWritten }
  } catch {}
  throw new PackProblem('The pack has an object that can not be read.')
}
