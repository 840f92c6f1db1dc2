import { splitCopyLine } from '@trellis/connector-kit/copy-text'
import { quoteText } from './column-kinds.ts'
import type { CopyPiece } from './copy-out.ts'
import { type KeyRange, chooseRanges, buildRangeConditions } from './key-ranges.ts'
import type { Link } from './link.ts'
import { mergeReaders } from './merge-readers.ts'
import { type Target, toSelect } from './target.ts'

export interface Links {
  readonly link: Link
  readonly openSecondConnection: () => Promise<Link>
}

export const BEGIN = 'begin isolation level repeatable read read only'

interface KeyReading {
  readonly conditions: readonly string[]
  readonly ranges: readonly KeyRange[] | undefined
  readonly isInKeyOrder: boolean
}

/** Two connections share one snapshot if the server allows, otherwise the ranges are read in turn. */
export async function* readByKey(
  { link, openSecondConnection }: Links,
  target: Target,
  { conditions, ranges: knownKeyRanges, isInKeyOrder }: KeyReading,
): AsyncGenerator<CopyPiece & { place: { ranges: readonly KeyRange[]; key: readonly string[] } }> {
  const ranges = knownKeyRanges ?? (await chooseRanges(link, target, toSelect(target, conditions)))
  const beside = ranges.length > 1 && !isInKeyOrder ? await openParallelReader(link, openSecondConnection) : undefined
  const places = target.key.map(({ name }) => target.fields.findIndex((field) => field.name === name))
  const order = `order by ${target.key.map(({ reference }) => reference).join(', ')}`
  let standing = [...ranges.entries()]
  const left = [...standing]
  const readOver = async function* (lane: Link) {
    for (let next = left.shift(); next; next = left.shift()) {
      const [id, range] = next
      const text = `copy (${toSelect(target, [...conditions, ...buildRangeConditions(target, range)], order)}) to stdout`
      for await (const piece of lane.copyOut(text)) yield { id, range, piece }
    }
  }
  try {
    for await (const { id, range, piece } of mergeReaders((beside ? [link, beside] : [link]).map(readOver))) {
      const last = splitCopyLine(getLastLine(piece.bytes))
      const read = [id, { ...range, after: places.map((index) => last[index] ?? '') }] as [number, KeyRange]
      // The next range comes first, so that a resumed read continues in the same order.
      standing = beside
        ? [...standing.filter(([other]) => other !== id), read]
        : standing.map((item) => (item[0] === id ? read : item))
      yield { ...piece, place: { ranges: standing.map(([, keyRange]) => keyRange), key: target.keyOrder } }
    }
  } finally {
    await beside?.close()
  }
}

function getLastLine(bytes: Buffer): string {
  const end = bytes.length - 1
  return bytes.toString('utf8', bytes.lastIndexOf(10, end - 1) + 1, end)
}

/** Out of connections, another server behind a load balancer, or no support for exported snapshots. */
async function openParallelReader(link: Link, openSecondConnection: () => Promise<Link>): Promise<Link | undefined> {
  const snapshot = await exportSnapshot(link)
  const beside = snapshot === null ? undefined : await openSecondConnection().catch(() => undefined)
  if (!beside) return undefined
  try {
    await beside.query(BEGIN)
    await beside.query(`set transaction snapshot ${quoteText(snapshot ?? '')}`)
    return beside
  } catch {
    await beside.close()
    return undefined
  }
}

async function exportSnapshot(link: Link): Promise<string | null> {
  try {
    return (await link.query('select pg_export_snapshot()'))[0]?.[0] ?? null
  } catch {
    await link.query('rollback')
    await link.query(BEGIN)
    return null
  }
}
