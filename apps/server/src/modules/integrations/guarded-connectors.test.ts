import { CONNECTORS } from '@trellis/connectors/registry'
import type { Connector } from '@trellis/connector-kit/connector'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { openCatalogue } from '../../platform/connectors/catalogue.ts'
import { createLogger } from '../../platform/logger.ts'
import { DISGUISES, DISGUISED_NAMES } from '../../platform/safe-http/testing/disguises.ts'
import { type Canary, closeServers, startCanary, startWeb } from '../../platform/safe-http/testing/local-servers.ts'
import { type SafeHttp, createSafeHttp } from '../../platform/safe-http/safe-http.ts'
import { requestTokens } from './connection/oauth-tokens.ts'
import { type ConnectionCtx, buildConnection } from './connections.service.ts'
import { outgoingCalls } from './testing/outgoing-calls.ts'
import { type Entered, setupValues } from './testing/registry-values.ts'
import { withoutRow } from './stored-integration.ts'

let canary: Canary
let redirector: URL
let http: SafeHttp
let lookups = 0
let calls = 0
let sockets = 0
/** Redirect target. */
let target = ''

/** 127.0.0.2 stands for a public host, 127.0.0.1 for the internal network (Linux only). */
const PUBLIC = '127.0.0.2'

beforeAll(async () => {
  canary = await startCanary(['127.0.0.1'])
  // Headers are bytes: non-Latin letters are sent raw.
  const location = () => Buffer.from(target).toString('latin1')
  redirector = new URL(
    await startWeb(PUBLIC, (_request, response) => response.writeHead(302, { location: location() }).end()),
  )
  const guarded = createSafeHttp({
    allowPrivateHosts: false,
    allowList: [PUBLIC],
    resolver: async (name) => {
      if (name !== 'rebound.example.com') return DISGUISED_NAMES[name] ?? Promise.reject(new Error('ENOTFOUND'))
      lookups += 1
      // DNS rebinding: the first lookup is public.
      return lookups % 2 === 1 ? [PUBLIC] : ['127.0.0.1']
    },
  })
  http = {
    fetch: async (...given) => {
      calls += 1
      return await guarded.fetch(...given)
    },
    connectSocket: async (given) => {
      sockets += 1
      return await guarded.connectSocket(given)
    },
    close: () => guarded.close(),
  }
})
afterAll(async () => {
  await http.close()
  await closeServers()
})

/** All connectors with a user-defined address. */
const reaching = CONNECTORS.filter(({ usesOwnDatabase, code }) => !usesOwnDatabase && code !== 'sample_data')

function prepare(connector: Connector, entered: Entered) {
  const url = `http://${entered.host}:${entered.port}`
  const hosts = Object.fromEntries(Object.keys(connector.hosts).map((name) => [name, url]))
  const there: Connector = { ...connector, hosts }
  const config = readConfig({ TRELLIS_LOG_LEVEL: 'silent' })
  const ctx = {
    clock: systemClock,
    log: createLogger({ level: 'silent', role: 'test' }),
    requestId: 'test',
    ports: { config, http, platforms: openCatalogue([there]) },
  } as unknown as ConnectionCtx
  const values = setupValues(there, entered)
  const row = withoutRow({ clock: systemClock, account: { id: 0 }, workspace: { id: 0 } }, there.code)
  const build = (signal: AbortSignal) => {
    const { context, scrub } = buildConnection(ctx, { row, connector: there, values, secrets: [] }, signal)
    const hasty = {
      ...context,
      accessToken: async () => 'token',
      wait: async () => undefined,
      budget: { take: async () => undefined, pauseUntil: async () => undefined },
    }
    return { context, hasty, scrub }
  }
  return { there, ctx, row, values, build }
}

async function reach(connector: Connector, entered: Entered): Promise<void> {
  const { there, ctx, row, values, build } = prepare(connector, entered)
  const { context, hasty, scrub } = build(AbortSignal.timeout(3000))
  for (const [, run] of outgoingCalls(there, entered)) await run(hasty).catch(() => undefined)
  if (there.oauth) {
    const work = { ctx, row, connector: there, values, outgoing: context, scrub }
    const request = { grant_type: 'refresh_token', refresh_token: 'x' } as const
    await requestTokens(work, { clientId: 'a', clientSecret: 'b' }, request).catch(() => undefined)
  }
}

const createSecret = () => 'planted-secret'

test('there are enough disguises to mean something', () => {
  expect(DISGUISES.length).toBeGreaterThanOrEqual(40)
  expect(reaching.length).toBeGreaterThanOrEqual(5)
})

test.each(reaching.map((connector) => [connector.code, connector] as const))(
  '%s reaches nothing inside by any disguise, redirect or change of a name',
  async (_, connector) => {
    calls = sockets = 0
    for (const host of DISGUISES) await reach(connector, { host, port: canary.port, createSecret })
    expect(calls + sockets, 'it did try').toBeGreaterThanOrEqual(DISGUISES.length)
    // Drivers do not follow redirects.
    for (const host of calls > 0 ? DISGUISES : []) {
      target = `http://${host}:${canary.port}/`
      await reach(connector, { host: PUBLIC, port: Number(redirector.port), createSecret })
    }
    for (let round = 0; round < 4; round += 1) {
      await reach(connector, { host: 'rebound.example.com', port: canary.port, createSecret })
    }
    expect(canary.touched).toEqual([])
  },
)

test.each(reaching.map((connector) => [connector.code, connector] as const))(
  '%s says that a refused address is one',
  async (_, connector) => {
    const { there, build } = prepare(connector, { host: '10.20.30.40', port: 8080, createSecret })
    const error: unknown = await there
      .check(build(new AbortController().signal).hasty)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      name: 'ConnectorError',
      kind: 'configuration',
      message: expect.stringContaining('10.20.30.40') as string,
      advice: expect.stringMatching(/public internet/) as string,
    })
  },
)

test('the canary does hear whoever gets through', async () => {
  const open = createSafeHttp({ allowPrivateHosts: true, allowList: [] })
  await (await open.fetch(`http://127.0.0.1:${canary.port}/`)).text()
  await open.close()
  expect(canary.touched.length).toBeGreaterThan(0)
})
