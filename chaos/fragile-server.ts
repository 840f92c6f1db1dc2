import { type PostgresOptions, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { openPatientPools } from './patient-pools.ts'

type Ask = ReturnType<typeof openPatientPools>

/** A server whose processes are all killed at once, and that is started again. */
export interface FragileServer {
  readonly url: string
  readonly port: number
  readonly ask: Ask
  crash(): Promise<void>
  stop(): Promise<void>
}

export async function startFragileServer(options: Omit<PostgresOptions, 'port'>): Promise<FragileServer> {
  let starting = startPostgres(options)
  const { port, url } = await starting
  const ask = openPatientPools(url)
  return {
    url,
    port,
    ask,
    async crash() {
      const pids = await ask<{ pid: number }>('postgres', 'select pid from pg_stat_activity')
      const { pid } = await starting
      for (const item of [pid, ...pids.map((row) => row.pid)]) kill(item)
      starting = startPostgres({ ...options, port })
      await starting
      await ask('postgres', 'select 1')
    },
    async stop() {
      await ask.close()
      await (await starting).stop()
    },
  }
}

function kill(pid: number): void {
  // Pid 0 would mean our own process group.
  if (!(pid > 1)) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
