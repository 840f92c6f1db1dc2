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
}

/** One account with one workspace and a person for every standing, and a stranger who owns another account. */
export async function buildWorld(app: TestApp): Promise<World> {
  const { db } = app.database
  const emailOf = (actor: string) => `${actor.replaceAll(' ', '-')}@example.com`
  const make = async (code: string) => {
    const account = await db
      .insertInto('accounts')
      .values({ trellis_code: code, name: code, account_type: 'team' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const workspace = await db
      .insertInto('workspaces')
      .values({ account_id: account.id, trellis_code: `${code}-w`, name: 'First', workspace_address: 'first' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { accountId: account.id, workspaceId: workspace.id }
  }
  const own = await make('ours')
  const other = await make('theirs')
  for (const [name, { accountRole, given }] of Object.entries(GIVEN)) {
    const profile = await makePerson(app, emailOf(name))
    const account_id = accountRole === null ? other.accountId : own.accountId
    await db
      .insertInto('account_members')
      .values({ account_id, profile_id: profile.id, role: accountRole ?? 'owner' })
      .execute()
    if (!given) continue
    await db
      .insertInto('workspace_members')
      .values({ account_id, workspace_id: own.workspaceId, profile_id: profile.id, role: given })
      .execute()
  }
  return { tenant: { account_trellis_code: 'ours', workspace_address: 'first' }, emailOf }
}
