import type { Cluster } from '../cluster.ts'
import { type Session, type SessionTarget, withSession } from '../session.ts'
import type { Value } from '../session/portal.ts'

/** Names alone of a large database are megabytes; rows of tables are limited where they are read. */
const LIMITS = { maxRows: 500_000, maxBytes: 128 * 1024 * 1024, lockMs: 2_000, statementMs: 15_000 }

/**
 * A session in which every name without a schema is Postgres' own: a function somebody made in `data` under a familiar
 * name must not be what the explorer calls.
 */
export async function withPlainSession<T>(
  cluster: Cluster,
  target: SessionTarget,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const limits = { ...LIMITS, ...target.limits }
  return await withSession(cluster, { ...target, limits, isPlain: true }, work)
}

/** Each row of the statement as an object; numbers above 2^53 must be cast to text by the statement. */
export async function readObjects<T>(
  session: Session,
  text: string,
  values: readonly Value[] = [],
): Promise<readonly T[]> {
  const { rows } = await session.query({ text: `select to_json(q) from (${text}) q`, values })
  return rows.map((row) => JSON.parse(row[0] ?? 'null') as T)
}
