import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { openWorkspaceDatabase } from '../../apps/server/src/platform/workspace-database/open-database.ts'
import { newPerson } from '../../apps/server/src/testing/accounts.ts'
import { startTestApp } from '../../apps/server/src/testing/test-app.ts'
import { makeReadyWorkspace } from '../../apps/server/src/testing/workspace.ts'
import type { Place } from './client.ts'

const SAMPLE_MS = 20

const [workspaces, people] = process.argv.slice(2).map(Number) as [number, number]
const app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
const places: Place[] = []
for (let at = 0; at < workspaces; at += 1) {
  const { account, tenant, key, id, integrationCode } = await makeReadyWorkspace(app)
  const { credentials } = await openWorkspaceDatabase(app.ctx, { workspaceId: id, integrationCode })
  const login = { user: toWorkspaceNames(key).readOnly, password: credentials.readOnly }
  const tokens = [account.owner.token ?? '']
  while (tokens.length < people) {
    const { id, client } = await newPerson(app, 'member')
    await app.database.db
      .insertInto('account_members')
      .values({ account_id: account.id, profile_id: id, role: 'account_admin' })
      .execute()
    tokens.push(client.token ?? '')
  }
  places.push({ tenant, integrationCode, database: `w_${key}`, login, tokens })
}

let peak = 0
let base = 0
setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_MS)
process.on('message', (order) => {
  if (order === 'reset') {
    globalThis.gc?.()
    base = process.memoryUsage.rss()
    peak = base
  }
  process.send?.({ peak, base })
})
process.on('disconnect', () => process.exit())
process.send?.({ url: app.url, places })
