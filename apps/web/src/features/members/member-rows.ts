import type { AccountRole } from '@trellis/contract/core/permissions'
import type { Invite, Member } from '@trellis/contract/members/members.schemas'

export type MemberStatus = 'owner' | 'active' | 'pending' | 'cancelled' | 'declined'

export interface MemberRow {
  key: string
  name: string
  email: string
  roleId: number
  status: MemberStatus
  /** Members have a profile, invited people an invite. */
  profileId?: number
  inviteId?: number
}

/** Accepted invites are listed as members. */
export function inviteStatus(invite: Invite): MemberStatus | 'accepted' {
  if (invite.has_accepted) return 'accepted'
  if (invite.has_declined) return 'declined'
  return invite.has_expired ? 'cancelled' : 'pending'
}

export function memberRows(members: readonly Member[], invited: readonly Invite[]): MemberRow[] {
  const rows = members.map(({ profile, is_owner, role_id }) => ({
    key: `member ${profile.id}`,
    name: `${profile.first_name} ${profile.surname}`.trim(),
    email: profile.email,
    roleId: role_id,
    status: is_owner ? ('owner' as const) : ('active' as const),
    profileId: profile.id,
  }))
  const waiting = invited.flatMap((invite) => {
    const status = inviteStatus(invite)
    if (status === 'accepted') return []
    const { id, profile_email, account_role_id } = invite
    return [{ key: `invite ${id}`, name: '', email: profile_email, roleId: account_role_id, status, inviteId: id }]
  })
  return [...rows.toSorted((a, b) => Number(b.status === 'owner') - Number(a.status === 'owner')), ...waiting]
}

/** As on the server: only the owner, or admins themselves, can remove or change an admin. */
export function canChangeMember(
  row: MemberRow,
  me: { role: AccountRole; profileId: number; adminRoleId: number },
): boolean {
  if (row.status === 'owner') return false
  if (row.inviteId !== undefined || row.roleId !== me.adminRoleId) return true
  return me.role === 'owner' || row.profileId === me.profileId
}

export interface Seats {
  /** `5/10`, or null without a limit. */
  text: string | null
  isFull: boolean
}

export function toSeats(usage: { users: number; users_limit: number | null }): Seats {
  const { users, users_limit } = usage
  if (users_limit === null) return { text: null, isFull: false }
  return { text: `${users}/${users_limit}`, isFull: users >= users_limit }
}
