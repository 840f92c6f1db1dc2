import { SourceChanged } from '@trellis/connector-kit/source-changed'
import type { CopyPiece } from './copy-out.ts'
import type { KeyRange } from './key-ranges.ts'
import type { Link } from './link.ts'
import { type Links, readByKey } from './read-by-key.ts'
import { type Target, toSelect } from './target.ts'

export type ReadPosition =
  /** Valid for one key (`Target.keyOrder`). */
  | { readonly ranges: readonly KeyRange[]; readonly key?: readonly string[] }
  /** Without a key: pages already read, with the snapshot of each part; valid for one `shape` (relfilenode). */
  | { readonly shape: string; readonly read: readonly PagesRead[] }

interface PagesRead {
  readonly to: number
  readonly snapshot: string
}

export interface Piece extends CopyPiece {
  readonly place?: ReadPosition
}

export interface ReadRange {
  readonly conditions: readonly string[]
  readonly place?: ReadPosition | undefined
  readonly limit?: number | undefined
  readonly isInKeyOrder?: boolean | undefined
}

/** One transaction, so that all pieces share a snapshot. */
export async function* readPieces(links: Links, target: Target, range: ReadRange): AsyncGenerator<Piece> {
  const { link } = links
  const { conditions, place, limit, isInKeyOrder = false } = range
  const ranges = place && target.key.length > 0 ? getRanges(place, target) : undefined
  if (place && target.key.length === 0 && !target.pages) throw new SourceChanged('The table')
  if (limit !== undefined) yield* link.copyOut(buildCopyStatement(target, conditions, `limit ${limit}`))
  else if (target.key.length > 0) yield* readByKey(links, target, { conditions, ranges, isInKeyOrder })
  else if (target.pages) yield* readByPage(link, { ...target, pages: target.pages }, range)
  else yield* link.copyOut(buildCopyStatement(target, conditions))
}

function getRanges(place: ReadPosition, { key, keyOrder }: Target): readonly KeyRange[] {
  if (!('ranges' in place)) throw new SourceChanged('The table')
  // Checkpoints of earlier versions do not tell the key.
  const isSame = place.key
    ? JSON.stringify(place.key) === JSON.stringify(keyOrder)
    : place.ranges.every(({ after }) => after === null || after.length === key.length)
  if (!isSame) throw new SourceChanged('The table')
  return place.ranges
}

const buildCopyStatement = (target: Target, conditions: readonly string[], end = '') =>
  `copy (${toSelect(target, conditions, end)}) to stdout`

const PAGES_AT_ONCE = 1024

/** By ctid, in the table's physical order. */
async function* readByPage(
  link: Link,
  target: Target & { pages: { relationId: string } },
  { conditions, place }: ReadRange,
): AsyncGenerator<Piece> {
  const [now] = await link.query(
    `select pg_relation_filenode($1::oid), pg_relation_size($1::oid) / current_setting('block_size')::bigint, pg_current_snapshot()`,
    [target.pages.relationId],
  )
  const [shape = '', pages, snapshot = ''] = now?.map((item) => item ?? '') ?? []
  const before = place ? getPagesRead(place, shape) : []
  for (let page = before.at(-1)?.to ?? 0; page < Number(pages); page += PAGES_AT_ONCE) {
    const to = page + PAGES_AT_ONCE
    let held: CopyPiece | undefined
    for await (const piece of link.copyOut(buildCopyStatement(target, [...conditions, pageRange(page, to)]))) {
      if (held) yield held
      held = piece
    }
    if (held) yield { ...held, place: { shape, read: [...before, { to, snapshot }] } }
  }
  // Updated rows may have moved into parts already read. Each part has its own snapshot: with only the first one's,
  // rows committed between two attempts would be read twice.
  for (const [at, { to, snapshot: seen }] of before.entries()) {
    const part = pageRange(before[at - 1]?.to ?? 0, to)
    yield* link.copyOut(buildCopyStatement(target, [...conditions, part, notInSnapshotCondition(seen)]))
  }
}

function getPagesRead(place: ReadPosition, shape: string): readonly PagesRead[] {
  // After a rewrite of the table, rows have moved.
  if (!('read' in place) || place.shape !== shape) throw new SourceChanged('The table')
  return place.read
}

const pageRange = (from: number, to: number) => `t.ctid >= '(${from},0)'::tid and t.ctid < '(${to},0)'::tid`

/** xmin has 32 bits only; the epoch is the current one, or the previous if the result would be in the future. */
function notInSnapshotCondition(snapshot: string): string {
  const top = 'pg_snapshot_xmax(pg_current_snapshot())::text::numeric'
  const whole = `(floor(${top} / 4294967296) * 4294967296 + t.xmin::text::numeric)`
  const id = `(case when ${whole} > ${top} then ${whole} - 4294967296 else ${whole} end)`
  return `not pg_visible_in_snapshot(greatest(${id}, 1)::text::xid8, '${snapshot}'::pg_snapshot)`
}
