import type { AuditLine } from '@trellis/contract/audit/audit.endpoints'
import type { Usage } from '@trellis/contract/billing/billing.schemas'
import type { WorkspaceRole } from '@trellis/contract/core/permissions'
import type { Invite, Member, MemberAccess } from '@trellis/contract/members/members.schemas'
import type { AccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'

interface Deleted {
  kind: 'account' | 'workspace'
  trellis_code: string
  account_trellis_code: string
  name: string
  deleted_at: string
  gone_at: string
}

export interface Company {
  members: Member[]
  workspaceMembers: { role: WorkspaceRole; profile: Member['profile'] }[]
  invited: Invite[]
  access: Record<string, MemberAccess>
  invites: Invite[]
  deleted: Deleted[]
  tokens: AccessToken[]
  agentDecisions: string[]
  audit: AuditLine[]
  usage: Usage
  /** States returned one after the other; the last one stays. */
  provisioning: Workspace['state'][]
  /** Failing invites by e-mail, with the reason. */
  refusedInvites: Record<string, string>
}

export const ACCOUNT_ROLE_IDS = { account_view: 1, account_admin: 2 }
export const WORKSPACE_ROLE_IDS = { workspace_viewer: 1, workspace_editor: 2, workspace_admin: 3 }

export const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const person = (id: number, name: string) => {
  const [first_name = '', surname = ''] = name.split(' ')
  return {
    id,
    trellis_user_code: `u-${first_name.toLowerCase()}`,
    first_name,
    surname,
    email: `${first_name.toLowerCase()}@example.com`,
    verified_email: true,
  }
}

export const member = (id: number, name: string, more: Partial<Member> = {}): Member => ({
  is_owner: false,
  role_id: ACCOUNT_ROLE_IDS.account_view,
  account_trellis_code: 'northwind',
  profile: person(id, name),
  ...more,
})

export const invite = (id: number, email: string, more: Partial<Invite> = {}): Invite => ({
  id,
  account_info: { account: { name: 'Harbour Works', trellis_code: 'harbour-works' } },
  inviting_profile: { first_name: 'Grace', surname: 'Hopper', email: 'grace@example.com' },
  invited_at: daysFromNow(-2),
  expires_at: daysFromNow(5),
  has_accepted: false,
  has_expired: false,
  has_declined: false,
  profile_email: email,
  account_role_id: ACCOUNT_ROLE_IDS.account_view,
  ...more,
})

const admin = { role_id: ACCOUNT_ROLE_IDS.account_admin }
const MEMBERS = [
  member(1, 'Ada Lovelace', { is_owner: true, ...admin }),
  member(2, 'Grace Hopper', admin),
  member(3, 'Katherine Johnson'),
  member(4, 'Alan Turing'),
]
const ROLES: WorkspaceRole[] = ['workspace_admin', 'workspace_admin', 'workspace_editor', 'workspace_viewer']

const ACTIONS = ['createWorkspace', 'inviteMembers', 'inviteAccepted', 'updateAccount', 'removeMember']

export function auditTrail(length: number): AuditLine[] {
  return Array.from({ length }, (_, at) => ({
    seq: length - at,
    at: new Date(Date.now() - at * 3_700_000).toISOString(),
    action: ACTIONS[at % ACTIONS.length] ?? '',
    outcome: at % 7 === 3 ? ('refused' as const) : ('done' as const),
    who:
      at % 5 === 4
        ? null
        : { name: at % 2 ? 'Grace Hopper' : 'Ada Lovelace', email: at % 2 ? 'grace@example.com' : 'ada@example.com' },
    workspace_id: at % 3 === 0 ? 1 : null,
    detail: at % 4 === 0 ? { name: 'Growth' } : {},
    ip: '203.0.113.7',
  }))
}

export function createCompany(change: Partial<Company> = {}): Company {
  return {
    members: [...MEMBERS],
    workspaceMembers: MEMBERS.map(({ profile }, at) => ({ role: ROLES[at] ?? 'workspace_viewer', profile })),
    access: {},
    invited: [
      invite(11, 'dorothy@example.com'),
      invite(12, 'edsger@example.com', { has_expired: true, expires_at: daysFromNow(-1) }),
      invite(13, 'barbara@example.com', { has_declined: true }),
    ],
    invites: [],
    deleted: [],
    agentDecisions: [],
    tokens: [
      {
        id: 1,
        name: 'Nightly export',
        prefix: 'trl_pat_x8Qa',
        scopes: ['read', 'run'],
        created_at: daysFromNow(-40),
        expires_at: daysFromNow(50),
        last_used_at: daysFromNow(-0.01),
        resource: null,
      },
    ],
    audit: auditTrail(12),
    usage: {
      users: 5,
      users_limit: 10,
      workspaces: 3,
      workspaces_limit: null,
      trellis_current_month_ai_tokens_available: 2000,
      trellis_current_month_ai_tokens_remaining: 1300,
      trellis_purchased_ai_tokens_available: 300,
      trellis_purchased_ai_tokens_remaining: 300,
      trellis_free_ai_tokens_available: 0,
      trellis_free_ai_tokens_remaining: 0,
      trellis_managed_database_storage_available: 214_748_364_800,
      trellis_managed_database_storage_used: 3_221_225_472,
      credits_renew_at: daysFromNow(12),
    },
    provisioning: ['provisioning', 'online'],
    refusedInvites: {},
    ...change,
  }
}
