import type { Session } from '../session.ts'

export async function inTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.query({ text: 'begin' })
  try {
    const result = await work()
    await session.query({ text: 'commit' })
    return result
  } catch (error) {
    // Report the original error.
    await session.query({ text: 'rollback' }).catch(() => undefined)
    throw error
  }
}
