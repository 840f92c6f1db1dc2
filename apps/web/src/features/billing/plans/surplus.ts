import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { Invite, Member } from '@trellis/contract/members/members.schemas'
import type { Surplus } from './keep.queries.ts'

export interface Seat {
  key: string
  name: string
  hint: string
  isOwner: boolean
  profileId: number | null
  inviteId: number | null
}

export function toSeats(members: readonly Member[], invites: readonly Invite[]): Seat[] {
  return [
    ...members.map(({ profile, is_owner }) => ({
      key: `member ${profile.id}`,
      name: `${profile.first_name} ${profile.surname}`,
      hint: is_owner ? `${profile.email}, owner` : profile.email,
      isOwner: is_owner,
      profileId: profile.id,
      inviteId: null,
    })),
    ...invites.map(({ id, profile_email }) => ({
      key: `invite ${id}`,
      name: profile_email,
      hint: 'Open invite',
      isOwner: false,
      profileId: null,
      inviteId: id,
    })),
  ]
}

/** What is removed to fit a smaller plan: the seats in `left`, and all workspaces except `keptAddress`; none if it is null. */
export function listSurplus(choice: {
  account: Pick<Account, 'workspaces'>
  seats: readonly Seat[]
  keptAddress: string | null
  left: ReadonlySet<string>
}): Surplus {
  const removedSeats = choice.seats.filter((seat) => choice.left.has(seat.key) && !seat.isOwner)
  const addresses = choice.account.workspaces.map((workspace) => workspace.workspace_address)
  return {
    workspaceAddresses:
      choice.keptAddress === null ? [] : addresses.filter((address) => address !== choice.keptAddress),
    profileIds: removedSeats.flatMap((seat) => seat.profileId ?? []),
    inviteIds: removedSeats.flatMap((seat) => seat.inviteId ?? []),
  }
}
