import type { CopyPiece } from './copy-out.ts'
import type { KeyRange } from './key-ranges.ts'
import type { Link } from './link.ts'
import { type Links, readByKey } from './read-by-key.ts'
import { type Target, toSelect } from './target.ts'

/** Where a read that was broken off goes on. */
export type Place =
  /** Of a table with a key, how far each of its ranges has been read. */
  | { readonly ranges: readonly KeyRange[] }
  /** Of a table without a key, in the shape it had, the pages that were read: up to where, and what was visible then. */
  | { readonly shape: string; readonly read: readonly PagesRead[] }

interface PagesRead {
  /** Not included; from where the one before ended. */
  readonly to: number
  readonly snapshot: string
}

export interface Piece extends CopyPiece {
  /** Nothing where the read can't go on behind this piece. */
  readonly place?: Place
}

export interface Stretch {
  /** Conditions on the cursor. */
  readonly conditions: readonly string[]
  readonly place?: Place | undefined
  readonly limit?: number | undefined
}

/** In one transaction, so that all pieces are of one moment. */
export async function* readPieces(links: Links, target: Target, stretch: Stretch): AsyncGenerator<Piece> {
  const { link } = links
  const { conditions, place, limit } = stretch
  const ranges = place && 'ranges' in place ? place.ranges : undefined
  if (limit !== undefined) yield* link.copyOut(statement(target, conditions, `limit ${limit}`))
  else if (target.key.length > 0) yield* readByKey(links, target, { conditions, ranges })
  else if (target.pages) yield* readByPage(link, { ...target, pages: target.pages }, stretch)
  else yield* link.copyOut(statement(target, conditions))
}

const statement = (target: Target, conditions: readonly string[], end = '') =>
  `copy (${toSelect(target, conditions, end)}) to stdout`

const PAGES_AT_ONCE = 1024

/** Page after page, as the table lies on disk. */
async function* readByPage(
  link: Link,
  target: Target & { pages: { relationId: string } },
  { conditions, place }: Stretch,
): AsyncGenerator<Piece> {
  const [now] = await link.query(
    `select pg_relation_filenode($1::oid), pg_relation_size($1::oid) / current_setting('block_size')::bigint, pg_current_snapshot()`,
    [target.pages.relationId],
  )
  const [shape = '', pages, snapshot = ''] = now?.map((one) => one ?? '') ?? []
  // A table that was rewritten has its rows elsewhere: only from the start is nothing missed.
  const before = place && 'read' in place && place.shape === shape ? place.read : []
  for (let page = before.at(-1)?.to ?? 0; page < Number(pages); page += PAGES_AT_ONCE) {
    const to = page + PAGES_AT_ONCE
    let held: CopyPiece | undefined
    for await (const piece of link.copyOut(statement(target, [...conditions, pageRange(page, to)]))) {
      if (held) yield held
      held = piece
    }
    if (held) yield { ...held, place: { shape, read: [...before, { to, snapshot }] } }
  }
  // What was changed in the meantime may have moved to where the read has been already. Each part was seen at another
  // moment: with only the first one's, rows that came between two attempts would be read twice.
  for (const [at, { to, snapshot: seen }] of before.entries()) {
    const part = pageRange(before[at - 1]?.to ?? 0, to)
    yield* link.copyOut(statement(target, [...conditions, part, notYetIn(seen)]))
  }
}

const pageRange = (from: number, to: number) => `t.ctid >= '(${from},0)'::tid and t.ctid < '(${to},0)'::tid`

/** Transaction numbers of rows lack the upper half; it is that of the present, or one less when that would be the future. */
function notYetIn(snapshot: string): string {
  const top = 'pg_snapshot_xmax(pg_current_snapshot())::text::numeric'
  const whole = `(floor(${top} / 4294967296) * 4294967296 + t.xmin::text::numeric)`
  const id = `(case when ${whole} > ${top} then ${whole} - 4294967296 else ${whole} end)`
  return `not pg_visible_in_snapshot(greatest(${id}, 1)::text::xid8, '${snapshot}'::pg_snapshot)`
}
