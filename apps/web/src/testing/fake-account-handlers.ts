import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { allows, type Permission, type WorkspaceRole } from '@trellis/contract/core/permissions'
import type { InviteRequest, MemberAccess } from '@trellis/contract/members/members.schemas'
import type { TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import type * as z from 'zod/mini'
import { ACCOUNT_ROLE_IDS, daysFromNow, invite, WORKSPACE_ROLE_IDS } from './fake-company.ts'
import { FakeError } from './fake-error.ts'
import type { Handler, Input } from './fake-handler.ts'
import type { FakeWorld } from './fake-world.ts'

const done = { done: true as const }
const toList = (ids: Record<string, number>) => Object.entries(ids).map(([name, id]) => ({ id, name }))

function getAccount(world: FakeWorld, { params }: Input): Account {
  const account = world.accounts.find((candidate) => candidate.trellis_code === params['account_trellis_code'])
  if (!account) throw new FakeError('not_found')
  return account
}

function requireRight(world: FakeWorld, input: Input, permission: Permission): Account {
  const account = getAccount(world, input)
  if (!allows(permission, { accountRole: account.role, workspaceRole: null })) throw new FakeError('forbidden')
  return account
}

function getWorkspace(world: FakeWorld, input: Input, address: string | undefined) {
  const workspace = getAccount(world, input).workspaces.find((candidate) => candidate.workspace_address === address)
  if (!workspace) throw new FakeError('not_found')
  return workspace
}

const asWorkspace = (one: Account['workspaces'][number], state: 'provisioning' | 'online' | 'failed' = 'online') => ({
  id: 41,
  trellis_code: one.trellis_code,
  name: one.name,
  workspace_address: one.workspace_address,
  account_trellis_code: one.account_trellis_code,
  state,
  created_at: daysFromNow(-20),
})

function dropInvite(world: FakeWorld, id: string | undefined): void {
  const { company } = world
  const isOther = (item: { id: number }) => String(item.id) !== id
  if (![...company.invites, ...company.invited].some((item) => !isOther(item))) throw new FakeError('not_found')
  company.invites = company.invites.filter(isOther)
  company.invited = company.invited.filter(isOther)
}

function getAccess(world: FakeWorld, { params }: Input): MemberAccess {
  const member = world.company.members.find((candidate) => String(candidate.profile.id) === params['profile_id'])
  if (!member) throw new FakeError('not_found')
  return world.company.access[String(params['profile_id'])] ?? { account_role_id: member.role_id, workspace_roles: [] }
}

function roleIn(access: MemberAccess, code: string): WorkspaceRole | null {
  if (access.account_role_id === ACCOUNT_ROLE_IDS.account_admin) return 'workspace_admin'
  const id = access.workspace_roles.find(
    (workspaceRole) => workspaceRole.workspace_trellis_code === code,
  )?.workspace_role_id
  return (Object.entries(WORKSPACE_ROLE_IDS).find(([, known]) => known === id)?.[0] as WorkspaceRole) ?? null
}

const accounts: Record<string, Handler> = {
  getAccount: getAccount,
  createTemporaryAccount: (_world, { body }) => ({ id: 77, name: (body as { name: string }).name }),
  updateAccount: (world, input) => {
    const account = requireRight(world, input, 'account:update')
    account.name = (input.body as { name: string }).name
    return account
  },
  deleteAccount: (world, input) => {
    const gone = requireRight(world, input, 'account:delete')
    world.accounts = world.accounts.filter((account) => account !== gone)
    const { trellis_code, name } = gone
    world.company.deleted.unshift({
      kind: 'account',
      trellis_code,
      account_trellis_code: trellis_code,
      name,
      deleted_at: daysFromNow(0),
      gone_at: daysFromNow(7),
    })
    return done
  },
  transferOwnership: (world, input) => {
    const account = requireRight(world, input, 'account:delete')
    const { receiving_profile_id } = input.body as { receiving_profile_id: number }
    world.company.members = world.company.members.map((member) => ({
      ...member,
      is_owner: member.profile.id === receiving_profile_id,
      role_id: member.profile.id === receiving_profile_id ? ACCOUNT_ROLE_IDS.account_admin : member.role_id,
    }))
    account.role = 'account_admin'
    return done
  },
  listDeleted: (world) => world.company.deleted,
  restoreDeleted: (world, { params }) => {
    const { company } = world
    if (!company.deleted.some((other) => other.trellis_code === params['trellis_code']))
      throw new FakeError('not_found')
    company.deleted = company.deleted.filter((other) => other.trellis_code !== params['trellis_code'])
    return done
  },
  listAccountLimits: (world) =>
    world.accounts.map((account) => ({
      account_trellis_code: account.trellis_code,
      workspaces: account.workspaces.length,
      workspaces_limit: account.account_type === 'basic' ? 1 : null,
    })),
  getUsage: (world, input) => {
    getAccount(world, input)
    return world.company.usage
  },
  getPlanEnd: (world, input) => {
    const { stripe_plan_end_date } = getAccount(world, input)
    const days_left = stripe_plan_end_date && Math.ceil((Date.parse(stripe_plan_end_date) - Date.now()) / 86_400_000)
    return { stripe_plan_end_date, days_left }
  },
}

const workspaces: Record<string, Handler> = {
  createWorkspace: (world, input) => {
    const account = requireRight(world, input, 'workspaces:create')
    const { name, workspace_address } = input.body as { name: string; workspace_address: string }
    if (account.workspaces.some((other) => other.workspace_address === workspace_address)) {
      throw new FakeError('address_taken', {
        detail: 'This address is taken.',
        source: { pointer: '/workspace_address' },
      })
    }
    const workspace = {
      trellis_code: `w-${account.trellis_code}-${workspace_address}`,
      name,
      workspace_address,
      account_trellis_code: account.trellis_code,
      role: 'workspace_admin' as const,
    }
    account.workspaces.push(workspace)
    return asWorkspace(workspace, 'provisioning')
  },
  getWorkspace: (world, input) => {
    const [state = 'online', ...later] = world.company.provisioning
    if (later.length > 0) world.company.provisioning = later
    const all = getAccount(world, input).workspaces
    const address = input.query['workspace_address']
    const workspace =
      address === undefined ? all.at(-1) : all.find((candidate) => candidate.workspace_address === address)
    if (!workspace) throw new FakeError('not_found')
    return asWorkspace(workspace, address === undefined ? state : 'online')
  },
  updateWorkspace: (world, input) => {
    const workspace = getWorkspace(world, input, input.params['workspace_address'])
    workspace.name = (input.body as { name: string }).name
    return asWorkspace(workspace)
  },
  deleteWorkspace: (world, input) => {
    const account = requireRight(world, input, 'workspaces:delete')
    const gone = getWorkspace(world, input, input.query['workspace_address'])
    account.workspaces = account.workspaces.filter((workspace) => workspace !== gone)
    world.company.usage = { ...world.company.usage, workspaces: world.company.usage.workspaces - 1 }
    const { trellis_code, account_trellis_code, name } = gone
    world.company.deleted.unshift({
      kind: 'workspace',
      trellis_code,
      account_trellis_code,
      name,
      deleted_at: daysFromNow(0),
      gone_at: daysFromNow(7),
    })
    return done
  },
  listWorkspaceMembers: (world) => world.company.workspaceMembers,
}

const members: Record<string, Handler> = {
  listAccountRoles: () => toList(ACCOUNT_ROLE_IDS),
  listWorkspaceRoles: () => toList(WORKSPACE_ROLE_IDS),
  listMembers: (world) => world.company.members,
  listInvited: (world, input) => {
    requireRight(world, input, 'members:write')
    return world.company.invited
  },
  inviteMembers: (world, input) => {
    requireRight(world, input, 'members:write')
    const requests = input.body as z.infer<typeof InviteRequest>
    const { company } = world
    return Object.fromEntries(
      requests.map(({ user_email, account_role_id }, at) => {
        const problem = company.refusedInvites[user_email]
        if (problem) return [user_email, { status: false, message: problem }]
        company.invited.unshift(invite(100 + company.invited.length + at, user_email, { account_role_id }))
        return [user_email, { status: true, message: 'Invite Sent' }]
      }),
    )
  },
  resendInvite: (world, { params }) => {
    const found = world.company.invited.find((candidate) => String(candidate.id) === params['account_invite_id'])
    if (!found) throw new FakeError('not_found')
    Object.assign(found, { has_expired: false, expires_at: daysFromNow(7) })
    return done
  },
  removeMember: (world, input) => {
    requireRight(world, input, 'members:write')
    const { receiving_profile_id } = input.body as { receiving_profile_id: number }
    world.company.members = world.company.members.filter((member) => member.profile.id !== receiving_profile_id)
    world.company.usage = { ...world.company.usage, users: world.company.usage.users - 1 }
    return done
  },
  getMemberAccess: (world, input) => {
    requireRight(world, input, 'members:write')
    return getAccess(world, input)
  },
  planMemberAccess: (world, input) => {
    const { workspaces } = requireRight(world, input, 'members:write')
    const before = getAccess(world, input)
    const after = input.body as MemberAccess
    return workspaces
      .map(({ trellis_code, name }) => ({
        workspace_trellis_code: trellis_code,
        workspace_name: name,
        role_before: roleIn(before, trellis_code),
        role_after: roleIn(after, trellis_code),
        database: null,
      }))
      .filter((effect) => effect.role_before !== effect.role_after)
  },
  updateMemberAccess: (world, input) => {
    requireRight(world, input, 'members:write')
    const access = input.body as MemberAccess
    world.company.access[String(input.params['profile_id'])] = access
    for (const member of world.company.members)
      if (String(member.profile.id) === input.params['profile_id']) member.role_id = access.account_role_id
    return access
  },
  leaveAccount: (world, input) => {
    const left = getAccount(world, input)
    if (left.role === 'owner') throw new FakeError('conflict')
    world.accounts = world.accounts.filter((account) => account !== left)
    return done
  },
  listOwnInvites: (world) => world.company.invites,
  acceptInvite: (world, { params }) => {
    dropInvite(world, params['account_invite_id'])
    return done
  },
  removeInvite: (world, { params }) => {
    dropInvite(world, params['id'])
    return done
  },
}

const tokensAndAudit: Record<string, Handler> = {
  listAccessTokens: (world) => world.company.tokens,
  createAccessToken: (world, { body }) => {
    const { name, scopes, days } = body as { name: string; scopes: TokenScope[]; days: number | null }
    const token = {
      id: world.company.tokens.length + 1,
      name,
      prefix: 'trl_pat_n3Wt',
      scopes,
      created_at: daysFromNow(0),
      expires_at: days === null ? null : daysFromNow(days),
      last_used_at: null,
      resource: null,
    }
    world.company.tokens = [token, ...world.company.tokens]
    return { ...token, secret: 'trl_pat_n3WtExampleSecretShownOnce' }
  },
  getAgentRequest: (_, { query }) => {
    if (query['client_id'] !== 'agent1') {
      throw new FakeError('not_found', { detail: 'This agent is not known here.' })
    }
    return {
      client_name: 'Desk helper',
      redirect_place: '127.0.0.1:7777',
      account_name: 'Northwind',
      workspace_name: 'Growth',
      scopes: ['read'],
      days: 30,
    }
  },
  decideAgentRequest: (world, { body }) => {
    const { redirect_uri, decision } = body as { redirect_uri: string; decision: string }
    world.company.agentDecisions.push(decision)
    return { redirect_to: `${redirect_uri}#${decision}` }
  },
  revokeAccessToken: (world, { params }) => {
    world.company.tokens = world.company.tokens.filter((token) => String(token.id) !== params['token_id'])
    return done
  },
  listAudit: (world, input) => {
    requireRight(world, input, 'audit:read')
    const { before_seq, action, outcome, search = '' } = input.query
    return world.company.audit
      .filter((line) => before_seq === undefined || line.seq < Number(before_seq))
      .filter((line) => !action || line.action === action)
      .filter((line) => !outcome || line.outcome === outcome)
      .filter((line) => `${line.action} ${line.who?.email ?? ''}`.toLowerCase().includes(search.toLowerCase()))
      .slice(0, 50)
  },
}

export const accountHandlers: Record<string, Handler> = { ...accounts, ...workspaces, ...members, ...tokensAndAudit }
