import { openCluster } from '@trellis/workspace-db/cluster'
import { generateWorkspaceKey } from '@trellis/workspace-db/names'
import { provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { type TestLogin, testAccess } from '@trellis/workspace-db/roles/testing'
import { ATTACKS, type AttackName } from './attacks.ts'

type AttackOrder = { readonly attack: AttackName } | { readonly stop: true }

const LOGINS = 4
const cluster = await openCluster({ adminUrl: process.argv[2] ?? '' })
const key = generateWorkspaceKey()
const workspace = { ...(await provisionWorkspaceDatabase(cluster, { key })), key }
const own = await testAccess(cluster, workspace)
const logins: TestLogin[] = []
for (let at = 0; at < LOGINS; at += 1) logins.push(await own.login('admin', 'data'))
for (const profile of own.access.profiles) Object.assign(profile, { connectionLimit: 50 })
await own.apply()

let over = { isOver: true }
let attacking: Promise<unknown> = Promise.resolve()
const outcomes = new Map<string, number>()

process.on('message', (order: AttackOrder) => {
  if ('stop' in order) {
    over.isOver = true
    void attacking
      .then(() =>
        cluster.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
          workspace.database,
        ]),
      )
      .then(() => process.send?.(Object.fromEntries(outcomes)))
    void cluster.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      workspace.database,
    ])
    return
  }
  over = { isOver: false }
  const state = over
  outcomes.clear()
  const note = (outcome: string) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  attacking = ATTACKS[order.attack]({ cluster, workspace, own, logins, note, isOver: () => state.isOver })
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
