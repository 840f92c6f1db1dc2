/** Runs upload jobs in sequence; reports duration and memory. */
import { openControlDb } from '@trellis/control-db/database'
import { handleUploadJob } from '../apps/server/src/modules/uploads/run-job.handler.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { readConfig } from '../apps/server/src/platform/config.ts'
import { createLogger } from '../apps/server/src/platform/logger.ts'
import { openPorts } from '../apps/server/src/platform/open-ports.ts'

const config = readConfig()
const control = openControlDb({ url: config.databaseUrl as string, max: 4 })
const log = createLogger({ level: config.logLevel, role: 'bench' })
const ctx = { db: control.db, clock: systemClock, log, ports: openPorts(config), requestId: 'bench' }
const signal = new AbortController().signal

process.on('message', (jobId: string) => {
  const started = performance.now()
  void handleUploadJob(
    ctx,
    { job_id: jobId },
    { id: jobId, job: 'uploads.run', attempt: 1, isLastAttempt: true, signal },
  )
    .then(() =>
      process.send?.({ seconds: (performance.now() - started) / 1000, mb: process.resourceUsage().maxRSS / 1024 }),
    )
    .catch((error: unknown) => process.send?.({ error: String(error) }))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
