import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '@trellis/control-db/connect'
import type { Address } from './read-servers.ts'

const CONNECT_MS = 10_000
const RETRY_MS = 1000

/** System error codes and SQLSTATEs that may pass by themselves. */
const AWAY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at that address',
  ENOTFOUND: 'that host is not known',
  EAI_AGAIN: 'that host could not be looked up',
  ETIMEDOUT: 'no answer came in time',
  EHOSTUNREACH: 'that host cannot be reached',
  ENETUNREACH: 'that network cannot be reached',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  '57P03': 'it is starting or stopping',
  '57P01': 'it is stopping',
  '53300': 'it has no free connection',
  '08P01': 'the pooler does not reach it',
  '08006': 'the connection was cut',
}

export function findAbsence(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof AggregateError) return findAbsence(error.errors[0]) ?? AWAY[code ?? '']
  if (/^(timeout expired|Connection terminated)/.test(error.message)) return AWAY['ETIMEDOUT']
  return AWAY[code ?? ''] ?? findAbsence(error.cause)
}

/** Reports once what it waits for; throws other errors. */
export async function waitForDatabase(
  addresses: readonly Address[],
  { say, isStopping = () => false }: { say: (sentence: string) => void; isStopping?: () => boolean },
): Promise<void> {
  for (const { setting, url } of addresses) {
    let said: string | undefined
    for (;;) {
      const absence = await findProblem(url)
      if (absence === undefined) break
      if (isStopping()) throw new Error('Stopped while waiting for the database.')
      const sentence = `The database cannot be reached: ${absence}. Waiting for it; check ${setting}.`
      if (said !== sentence) say(sentence)
      said = sentence
      await sleep(RETRY_MS)
    }
    if (said !== undefined) say('The database answers.')
  }
}

async function findProblem(url: string): Promise<string | undefined> {
  const config = { connectionString: url, application_name: 'trellis-start', connectionTimeoutMillis: CONNECT_MS }
  try {
    await withClient(config, (client) => client.query('select 1'))
    return undefined
  } catch (error) {
    const absence = findAbsence(error)
    if (absence === undefined) throw error
    return absence
  }
}
