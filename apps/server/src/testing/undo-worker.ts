import { openControlDb } from '@trellis/control-db/database'
import { handleUndoRun } from '../modules/runs/loaded/undo-run.handler.ts'
import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { createLogger } from '../platform/logger.ts'
import { openPorts } from '../platform/open-ports.ts'

const [undoId] = process.argv.slice(2) as [string]
const config = readConfig(process.env)
const control = openControlDb({ url: config.databaseUrl as string, max: 4, name: 'trellis-worker' })
const log = createLogger({ level: config.logLevel, role: 'worker' })
const ctx = { db: control.db, clock: systemClock, log, ports: openPorts(config), requestId: 'test' }
const signal = new AbortController().signal
await handleUndoRun(
  ctx,
  { undo_id: undoId },
  { id: 'killed', job: 'runs.take-back', attempt: 1, isLastAttempt: false, signal },
)
