/** Runs source blocks in sequence; reports duration and memory. */
import { openControlDb } from '@trellis/control-db/database'
import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { runSource } from '../apps/server/src/modules/runs/work/source.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { readConfig } from '../apps/server/src/platform/config.ts'
import { createLogger } from '../apps/server/src/platform/logger.ts'
import { openPorts } from '../apps/server/src/platform/open-ports.ts'

export interface LoadInput {
  code: string
  block?: string
  stopAfterMs?: number
  accountId: number
  workspace: { id: number; code: string }
  settings: object
}
export interface LoadTold {
  seconds: number
  mb: number
  rows: number
  error?: string
}

const config = readConfig(process.env)
const control = openControlDb({ url: config.databaseUrl as string, max: 4 })
const log = createLogger({ level: config.logLevel, role: 'bench' })
const ctx = { db: control.db, clock: systemClock, log, ports: openPorts(config), requestId: 'bench' }
const signal = new AbortController().signal
let epoch = 0

async function load({ code, block = code, stopAfterMs, accountId, workspace, settings }: LoadInput): Promise<LoadTold> {
  const started = performance.now()
  let rows = 0
  await runSource({
    ctx,
    account: { id: accountId },
    workspace,
    block: { id: 0, code: `block-${block}`, name: code, settings: settings as SourceSettings },
    run: { id: 0, code, rootCode: code, epoch: (epoch += 1), attempt: 1, nominalAt: null, request: {} },
    signal: stopAfterMs === undefined ? signal : AbortSignal.timeout(stopAfterMs),
    log: () => undefined,
    count: ({ rows_written: written = 0, rows_updated: updated = 0 }) => void (rows += written + updated),
    markCommitted: () => undefined,
    setLoadTotals: () => undefined,
    markWorking: async () => undefined,
  })
  return { seconds: (performance.now() - started) / 1000, mb: process.resourceUsage().maxRSS / 1024, rows }
}

process.on('message', (loadInput: LoadInput) => {
  void load(loadInput)
    .catch((error: unknown): LoadTold => ({
      seconds: 0,
      mb: 0,
      rows: 0,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }))
    .then((told) => process.send?.(told))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
