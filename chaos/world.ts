import { mkdtemp, chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { listenToRuns } from '../apps/server/src/modules/runs/runner/listen.ts'
import { createLogger } from '../apps/server/src/platform/logger.ts'
import { makeWorkspace } from '../bench/workspace.ts'
import type { Outages } from './outages.ts'
import { type Origin, startOrigin } from './origin.ts'
import { startFragileServer } from './fragile-server.ts'
import type { Databases } from './patient-pools.ts'
import { type Proxy, startProxy } from './proxy.ts'

export const OWN_DATABASE = 'chaos-w-db'
export const ORIGIN = 'chaos-origin'

export interface World extends Databases {
  readonly controlUrl: string
  readonly env: Record<string, string>
  readonly proxy: Proxy
  readonly origin: Origin
  nextStep(mostMs: number): Promise<void>
  crash(): Promise<void>
  close(): Promise<void>
}

export async function makeWorld(outages: Outages): Promise<World> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-chaos-'))
  const undo: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true })]
  const close = async () => {
    for (const one of undo.splice(0).toReversed()) await one().catch(() => undefined)
  }
  try {
    return { ...(await openWorld(home, { undo, outages })), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openWorld(
  home: string,
  { undo, outages }: { undo: (() => Promise<unknown>)[]; outages: Outages },
): Promise<Omit<World, 'close'>> {
  await chmod(home, 0o711)
  const dataDir = join(home, 'postgres')
  const server = await startFragileServer({ dataDir, settings: { max_connections: 200 } })
  undo.push(() => server.stop())
  const { port, url, ask } = server
  const proxy = await startProxy(() => port)
  undo.push(() => proxy.close())
  const { appUrl } = await prepareControlDb({ adminUrl: url })
  const through = (to: string) => Object.assign(new URL(to), { port: String(proxy.port) }).href
  const settings = {
    TRELLIS_HOME: home,
    TRELLIS_LOG_LEVEL: 'silent',
    TRELLIS_ALLOW_PRIVATE_HOSTS: 'on',
    NODE_ENV: 'production',
  }
  const env = { ...settings, TRELLIS_DATABASE_URL: appUrl, TRELLIS_CLUSTER_URL: url }
  const { accountId, workspace, database, close } = await makeWorkspace(env, 'chaos')
  await close()
  const steps = hearSteps(appUrl)
  undo.push(() => steps.stop())
  const controlName = new URL(appUrl).pathname.slice(1)
  const origin = await startOrigin(home)
  undo.push(() => origin.stop())
  await ask(
    controlName,
    `insert into integrations (account_id, workspace_id, trellis_code, platform_code, name, description, settings, state)
     values ($1, $2, $3, 'postgresql', 'Origin', '', $4, 'ACTIVE')`,
    [accountId, workspace.id, ORIGIN, JSON.stringify(origin.settings)],
  )
  return {
    accountId,
    workspaceId: workspace.id,
    controlUrl: appUrl,
    proxy,
    origin,
    env: { ...settings, TRELLIS_DATABASE_URL: through(appUrl), TRELLIS_CLUSTER_URL: through(url) },
    control: (text, values) => ask(controlName, text, values),
    data: (text, values) => ask(database.database, text, values),
    nextStep: (mostMs) => steps.next(mostMs),
    async crash() {
      outages.set('postgres', true)
      await server.crash()
      outages.set('postgres', false)
    },
  }
}

function hearSteps(url: string) {
  let heard: () => void = () => undefined
  const listening = listenToRuns({
    url,
    log: createLogger({ level: 'silent', role: 'chaos' }),
    onMessage: () => heard(),
  })
  return {
    stop: () => listening.stop(),
    next: (mostMs: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostMs)
        heard = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
