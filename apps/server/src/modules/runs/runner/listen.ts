import { PostgresClient } from '@trellis/postgres-client/client'
import type { Logger } from '../../../platform/logger.ts'

export interface RunListener {
  stop(): Promise<void>
}

const RETRY_MS = 2000

/** LISTEN on its own connection. Only a hint: callers must poll too, since nothing is received while it reconnects. */
export function listenToRuns(options: { url: string; log: Logger; onMessage: (payload: string) => void }): RunListener {
  let isStopped = false
  let client: PostgresClient | undefined
  let timer: NodeJS.Timeout | undefined
  const scheduleReconnect = (error: unknown) => {
    if (isStopped) return
    options.log.warn({ err: error }, 'Nothing is heard of runs for now; they are looked after all the same.')
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), RETRY_MS)
  }
  const connect = async () => {
    const newClient = new PostgresClient({
      connectionString: options.url,
      application_name: 'trellis-runs',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    client = newClient
    let hasEnded = false
    const onConnectionEnd = (error?: unknown) => {
      if (hasEnded) return
      hasEnded = true
      newClient.end().catch(() => undefined)
      scheduleReconnect(error)
    }
    newClient.on('error', onConnectionEnd)
    newClient.on('end', () => onConnectionEnd())
    newClient.on('notification', ({ payload }) => options.onMessage(payload ?? ''))
    try {
      await newClient.connect()
      await newClient.query('listen trellis_runs')
    } catch (error) {
      onConnectionEnd(error)
    }
  }
  const firstConnection = connect()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await firstConnection
      await client?.end().catch(() => undefined)
    },
  }
}
