import { type Session, type SessionTarget, withSession } from '@trellis/workspace-db/session'
import type { OpenDatabase } from '../../platform/workspace-database/open-database.ts'
import type { TestApp } from '../test-app.ts'

type Target = Pick<SessionTarget, 'database' | 'credentials'> & Pick<OpenDatabase, 'cluster'>
type Rows = readonly (readonly (string | null)[])[]
type Query = (texts: readonly string[], values?: readonly string[]) => Promise<Rows>

/** Each call in a session of its own. */
export const queryAnew =
  ({ cluster, database, credentials }: Target): Query =>
  (texts, values) =>
    withSession(cluster, { database, credentials, role: 'rw' }, (session) => queryEach(session, texts, values))

async function queryEach(session: Session, texts: readonly string[], values: readonly string[] = []): Promise<Rows> {
  let rows: Rows = []
  for (const text of texts) ({ rows } = await session.query({ text, values }))
  return rows
}

/** One session for all calls, as connecting costs more than what tests ask. It does not count as one of the product's. */
export function keepSession(app: TestApp, target: Target): { query: Query; close(): Promise<void> } {
  const { cluster, database, credentials } = target
  let kept: Promise<Session> | undefined
  let ended = Promise.resolve()
  let leave = () => {}
  let isBusy = false

  const open = () =>
    new Promise<Session>((resolve, reject) => {
      const left = new Promise<void>((done) => (leave = done))
      ended = withSession(cluster, { database, credentials, role: 'rw', isCounted: true }, async (session) => {
        resolve(session)
        await left
      }).catch(reject)
    })
  const close = async () => {
    leave()
    kept = undefined
    await ended
  }
  app.beforeClose(close)

  const query: Query = async (texts, values) => {
    // A statement may wait for what the next call does.
    if (isBusy) return await queryAnew(target)(texts, values)
    isBusy = true
    try {
      return await queryEach(await (kept ??= open()), texts, values)
    } catch (error) {
      // It may have been terminated.
      await close()
      throw error
    } finally {
      isBusy = false
    }
  }
  return { query, close }
}
