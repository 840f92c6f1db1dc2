import { type Standing, workspaceRoleOf } from '@trellis/contract/core/permissions'
import { makePerson } from './people.ts'
import type { TestApp } from './test-app.ts'

type Given = { accountRole: Standing['accountRole']; given: Standing['workspaceRole'] }

const GIVEN: Record<string, Given> = {
  owner: { accountRole: 'owner', given: null },
  'account admin': { accountRole: 'account_admin', given: null },
  'workspace admin': { accountRole: 'account_view', given: 'workspace_admin' },
  'workspace editor': { accountRole: 'account_view', given: 'workspace_editor' },
  'workspace viewer': { accountRole: 'account_view', given: 'workspace_viewer' },
  'member without a workspace': { accountRole: 'account_view', given: null },
  'owner of another account': { accountRole: null, given: null },
}

export const ACTORS = Object.entries(GIVEN).map(([name, { accountRole, given }]) => ({
  name,
  accountRole,
  workspaceRole: accountRole === null ? null : workspaceRoleOf(accountRole, given),
}))

export interface World {
  tenant: { account_trellis_code: string; workspace_address: string }
  emailOf(actor: string): string
  /** Both accounts as they were at first: some calls really delete, rename or remove. */
  reset(plan?: { end: Date | null }): Promise<void>
}

/** One account with one workspace and a person for every standing, and a stranger who owns another account. */
export async function buildWorld(app: TestApp): Promise<World> {
  const emailOf = (actor: string) => `${actor.replaceAll(' ', '-')}@example.com`
  const people = new Map<string, number>()
  for (const name of Object.keys(GIVEN)) people.set(name, (await makePerson(app, emailOf(name))).id)
  const reset = async ({ end }: { end: Date | null } = { end: null }) => {
    await app.database.pool.query('delete from accounts')
    const own = await makeTenant(app, 'ours', end)
    const other = await makeTenant(app, 'theirs', null)
    for (const [name, { accountRole, given }] of Object.entries(GIVEN)) {
      const profile_id = people.get(name) ?? 0
      const account_id = accountRole === null ? other.accountId : own.accountId
      const role = accountRole ?? 'owner'
      await app.database.db.insertInto('account_members').values({ account_id, profile_id, role }).execute()
      if (!given) continue
      const member = { account_id, workspace_id: own.workspaceId, profile_id, role: given }
      await app.database.db.insertInto('workspace_members').values(member).execute()
    }
  }
  await reset()
  return { tenant: { account_trellis_code: 'ours', workspace_address: 'first' }, emailOf, reset }
}

async function makeTenant({ database: { db } }: TestApp, code: string, end: Date | null) {
  const account = await db
    .insertInto('accounts')
    .values({ trellis_code: code, name: code, account_type: 'team', stripe_plan_end_date: end })
    .returning('id')
    .executeTakeFirstOrThrow()
  const workspace = await db
    .insertInto('workspaces')
    .values({ account_id: account.id, trellis_code: `${code}-w`, name: 'First', workspace_address: 'first' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { accountId: account.id, workspaceId: workspace.id }
}
