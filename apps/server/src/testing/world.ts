import { type CallerRoles, toWorkspaceRole } from '@trellis/contract/core/permissions'
import { makePerson } from './people.ts'
import type { TestApp } from './test-app.ts'

type RoleAssignment = { accountRole: CallerRoles['accountRole']; given: CallerRoles['workspaceRole'] }

const GIVEN: Record<string, RoleAssignment> = {
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
  workspaceRole: accountRole === null ? null : toWorkspaceRole(accountRole, given),
}))

export interface World {
  tenant: { account_trellis_code: string; workspace_address: string }
  toEmail(actor: string): string
  reset(plan?: { end: Date | null }): Promise<void>
}

/** An account and workspace with a person for every role, and an outsider. */
export async function buildWorld(app: TestApp): Promise<World> {
  const toEmail = (actor: string) => `${actor.replaceAll(' ', '-')}@example.com`
  const people = new Map<string, number>()
  for (const name of Object.keys(GIVEN)) people.set(name, (await makePerson(app, toEmail(name))).id)
  const reset = async ({ end }: { end: Date | null } = { end: null }) => {
    await app.database.pool.query('delete from accounts')
    const [ownTenant, other] = await makeTenants(app, [
      { code: 'ours', end },
      { code: 'theirs', end: null },
    ])
    const standings = Object.entries(GIVEN).map(([name, standing]) => ({
      ...standing,
      profile_id: people.get(name) ?? 0,
    }))
    const members = standings.map(({ accountRole, profile_id }) => ({
      account_id: accountRole === null ? other.accountId : ownTenant.accountId,
      profile_id,
      role: accountRole ?? ('owner' as const),
    }))
    await app.database.db.insertInto('account_members').values(members).execute()
    const workspaceMembers = standings.flatMap(({ given, profile_id }) =>
      given ? [{ account_id: ownTenant.accountId, workspace_id: ownTenant.workspaceId, profile_id, role: given }] : [],
    )
    await app.database.db.insertInto('workspace_members').values(workspaceMembers).execute()
  }
  await reset()
  return { tenant: { account_trellis_code: 'ours', workspace_address: 'first' }, toEmail, reset }
}

interface Tenant {
  accountId: number
  workspaceId: number
}

async function makeTenants(
  { database: { db } }: TestApp,
  plans: [{ code: string; end: Date | null }, { code: string; end: Date | null }],
): Promise<[Tenant, Tenant]> {
  const accounts = await db
    .insertInto('accounts')
    .values(
      plans.map(({ code, end }) => ({
        trellis_code: code,
        name: code,
        account_type: 'team',
        stripe_plan_end_date: end,
      })),
    )
    .returning(['id', 'trellis_code'])
    .execute()
  const workspaces = await db
    .insertInto('workspaces')
    .values(
      accounts.map(({ id, trellis_code }) => ({
        account_id: id,
        trellis_code: `${trellis_code}-w`,
        name: 'First',
        workspace_address: 'first',
      })),
    )
    .returning(['id', 'account_id', 'trellis_code'])
    .execute()
  const find = ({ code }: { code: string }): Tenant => {
    const workspace = workspaces.find(({ trellis_code }) => trellis_code === `${code}-w`)
    if (!workspace) throw new Error(`${code} was not made`)
    return { accountId: workspace.account_id, workspaceId: workspace.id }
  }
  return [find(plans[0]), find(plans[1])]
}
