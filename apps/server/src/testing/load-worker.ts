import { flushCompileCache } from 'node:module'
import { openControlDb } from '@trellis/control-db/database'
import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { runSource } from '../modules/runs/work/source.ts'
import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { createLogger } from '../platform/logger.ts'
import { openPorts } from '../platform/open-ports.ts'

export interface AttemptsInput {
  readonly accountId: number
  readonly workspace: { readonly id: number; readonly code: string }
  readonly blocks: readonly { readonly code: string; readonly settings: object }[]
  readonly epoch: number
}

/** Makes one attempt of several loads concurrently; the test kills it. */
const config = readConfig(process.env)
const control = openControlDb({ url: config.databaseUrl as string, max: 4, name: 'trellis-worker' })
const log = createLogger({ level: config.logLevel, role: 'worker' })
const ctx = { db: control.db, clock: systemClock, log, ports: openPorts(config), requestId: 'test' }
const signal = new AbortController().signal

async function attempt({ accountId, workspace, blocks, epoch }: AttemptsInput): Promise<void> {
  process.send?.('begun')
  await Promise.allSettled(
    blocks.map(async ({ code, settings }) => {
      const rootCode = `${code}-1`
      await runSource({
        ctx,
        account: { id: accountId },
        workspace,
        block: { id: 0, code, name: code, settings: settings as SourceSettings },
        run: { id: 0, code: rootCode, rootCode, epoch, attempt: 1, nominalAt: null, request: {} },
        signal,
        log: () => undefined,
        count: () => undefined,
        markCommitted: () => undefined,
        setLoadTotals: () => undefined,
        markWorking: async () => undefined,
      })
    }),
  )
  process.send?.('done', () => process.exit())
}

// A killed process would not write the compile cache.
flushCompileCache()
process.once('message', (attemptsInput: AttemptsInput) => void attempt(attemptsInput))
process.on('disconnect', () => process.exit())
