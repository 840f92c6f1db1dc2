import type { Session } from '../session.ts'

/** All statements or none of them. */
export async function inTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.query({ text: 'begin' })
  try {
    const result = await work()
    await session.query({ text: 'commit' })
    return result
  } catch (error) {
    // The fault that began it is the one to tell.
    await session.query({ text: 'rollback' }).catch(() => undefined)
    throw error
  }
}
