import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { PostgresClient } from '@trellis/postgres-client/client'
import { processEventsUntil } from './act/due-events.ts'
import { serveApi } from './api/serve.ts'
import { type SandboxContext, sandboxNow } from './sandbox-context.ts'
import { deliverDue } from './deliver.ts'
import { makeEndpoint } from './make/portal.ts'
import type { PageResponse } from './pages/layout.ts'
import { type PageRequest, answerPage } from './pages/pages.ts'
import { prune } from './prune.ts'
import { withStore } from './store.ts'

export interface PaymentSandbox {
  host: string
  port: number
  /** New for each process, so that no other process can use this sandbox. */
  secretKey: string
  page(request: PageRequest): Promise<PageResponse>
  /** There is a single endpoint; the last one set wins. */
  deliverTo(url: string): Promise<void>
  webhookSecret(): Promise<string>
  stop(): Promise<void>
}

export interface SandboxOptions {
  databaseUrl: string
  pagesUrl: string
  /** Whether this process delivers events and advances time. */
  isActive?: boolean
}

const ENDPOINT = 'we_trellis'
const TICK_MS = 1000
const SETTLE_MS = 15_000

/** Simulates Stripe. All state is in the database, so that several processes can share it. */
export async function startPaymentSandbox(options: SandboxOptions): Promise<PaymentSandbox> {
  const { databaseUrl, pagesUrl, isActive = true } = options
  const pool = new pg.Pool({
    Client: PostgresClient,
    connectionString: databaseUrl,
    max: 4,
    application_name: 'trellis-payments',
    allowExitOnIdle: true,
  })
  // A closed connection emits 'error' on the pool or the client; without listeners that crashes the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`
  const pump = startPump({ pool, pagesUrl, isActive })
  const api = await serveApi({ pool, secretKey, pagesUrl, onWrite: pump.wake }).catch(async (error: unknown) => {
    await pump.stop()
    await pool.end()
    throw error
  })
  return {
    host: '127.0.0.1',
    port: api.port,
    secretKey,
    page: async (request) => {
      const answer = await answerPage({ pool, pagesUrl }, request)
      if (request.method === 'POST') await pump.flush()
      return answer
    },
    deliverTo: async (url) => {
      await withStore(pool, { isWrite: true }, async (store) => {
        const known = await store.find('webhook_endpoint', ENDPOINT)
        const secret = known?.secret ?? generateSecret()
        const context = await openBook({ store, pagesUrl })
        await store.put({ ...makeEndpoint(context, { url, events: ['*'], secret }), id: ENDPOINT })
      })
    },
    webhookSecret: async () =>
      await withStore(pool, { isWrite: true }, async (store) => {
        const known = await store.find('webhook_endpoint', ENDPOINT)
        if (known?.secret) return known.secret
        const secret = generateSecret()
        const context = await openBook({ store, pagesUrl })
        const waiting = {
          ...makeEndpoint(context, { url: 'http://127.0.0.1', events: ['*'], secret }),
          id: ENDPOINT,
          status: 'disabled',
        }
        await store.put(waiting)
        return secret
      }),
    stop: async () => {
      await pump.stop()
      await api.stop()
      await pool.end()
    },
  }
}

const generateSecret = () => `whsec_${randomBytes(24).toString('hex')}`

async function openBook({ store, pagesUrl }: Pick<SandboxContext, 'store' | 'pagesUrl'>): Promise<SandboxContext> {
  return { store, pagesUrl, testClock: null, now: await sandboxNow(store) }
}

function startPump({ pool, pagesUrl, isActive }: { pool: pg.Pool; pagesUrl: string; isActive: boolean }) {
  let isStopped = !isActive
  let running: Promise<void> = Promise.resolve()
  let settledAt = 0
  const turn = async () => {
    if (Date.now() - settledAt > SETTLE_MS) {
      settledAt = Date.now()
      await withStore(pool, { isWrite: true }, async (store) => {
        const context = await openBook({ store, pagesUrl })
        await processEventsUntil(context, context.now)
        await prune(store)
      })
    }
    let sent = 1
    while (sent > 0) sent = isStopped ? 0 : await deliverDue(pool)
  }
  const flush = async () => {
    if (isStopped) return
    running = running.then(turn).catch(() => undefined)
    await running
  }
  const timer = setInterval(() => void flush(), TICK_MS)
  timer.unref()
  return {
    flush,
    wake: () => void flush(),
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
