import type { Cluster } from '../cluster.ts'
import { type Session, type SessionTarget, withSession } from '../session.ts'
import type { Value } from '../session/portal.ts'

/** The names alone of a large database take megabytes. */
const PLAIN_SESSION_LIMITS = { maxRows: 500_000, maxBytes: 128 * 1024 * 1024, lockMs: 2_000, statementMs: 15_000 }

/** Search path pg_catalog only, so that user-defined functions in `data` cannot shadow built-in ones. */
export async function withCatalogueSession<T>(
  cluster: Cluster,
  target: SessionTarget,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const limits = { ...PLAIN_SESSION_LIMITS, ...target.limits }
  return await withSession(cluster, { ...target, limits, isPlain: true }, work)
}

/** Cast numbers above 2^53 to text. */
export async function readObjects<T>(
  session: Session,
  text: string,
  values: readonly Value[] = [],
): Promise<readonly T[]> {
  const { rows } = await session.query({ text: `select to_json(q) from (${text}) q`, values })
  return rows.map((row) => JSON.parse(row[0] ?? 'null') as T)
}
