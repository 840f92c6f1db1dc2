import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { signInForBench } from '../../bench/sign-in.ts'
import { type ApiCalls, keepCalling } from '../call-api.ts'
import { type BalancedClient, createBalancedClient } from './balanced-client.ts'
import type { Installation } from './open-installation.ts'
import { type RoleProcess, startRole } from './roles.ts'

export interface Api {
  readonly process: RoleProcess
  readonly calls: ApiCalls
}

interface Place {
  readonly home: string
  readonly undo: (() => Promise<unknown>)[]
}

const TOKEN_REFRESH_MS = 120_000

export async function startApis(
  installation: Installation,
  { home, undo }: Place,
): Promise<{ apis: Api[]; client: BalancedClient }> {
  const started: { process: RoleProcess; url: string }[] = []
  for (const name of ['api-1', 'api-2']) {
    const port = await findFreePort()
    const env = { ...installation.env, TRELLIS_PORT: String(port) }
    const process = await startRole({ name, role: 'api', env, home })
    undo.push(() => process.stop())
    started.push({ process, url: `http://127.0.0.1:${port}` })
  }
  const urls = started.map(({ url }) => url)
  const token = await signIn(installation, { url: urls[0] as string, undo })
  const apis = started.map(({ process, url }) => {
    const calls = keepCalling({ url, token, isDown: () => process.isDown() })
    undo.push(() => calls.stop())
    return { process, calls }
  })
  const params = { account_trellis_code: 'chaos', workspace_address: 'chaos' }
  return { apis, client: createBalancedClient({ urls, token, params }) }
}

async function signIn(
  installation: Installation,
  { url, undo }: { url: string; undo: (() => Promise<unknown>)[] },
): Promise<() => string> {
  const { token, refresh } = await signInForBench(url, installation.directUrl)
  await installation.control(
    `insert into account_members (account_id, profile_id, role)
     select $1, id, 'owner' from profiles where email = 'bench@trellis.local' on conflict do nothing`,
    [installation.accountId],
  )
  const current = { token }
  const refreshToken = () =>
    void refresh()
      .then((fresh) => (current.token = fresh))
      .catch(() => undefined)
  const timer = setInterval(refreshToken, TOKEN_REFRESH_MS)
  undo.push(async () => clearInterval(timer))
  return () => current.token
}

export async function startWorkers(installation: Installation, { home, undo }: Place): Promise<RoleProcess[]> {
  const workers: RoleProcess[] = []
  for (const name of ['worker-1', 'worker-2']) {
    const worker = await startRole({ name, role: 'worker', env: installation.env, home })
    undo.push(() => worker.stop())
    workers.push(worker)
  }
  return workers
}
