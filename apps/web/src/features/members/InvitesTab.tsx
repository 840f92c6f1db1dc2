import type { Invite } from '@trellis/contract/members/members.schemas'
import { MailOpen } from 'lucide-react'
import { Button } from '../../ui/actions/Button.tsx'
import { Face } from '../../ui/data/Avatar.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { StatusDot, type Tone } from '../../ui/feedback/Status.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { fullName } from '../profile/profile.queries.ts'
import { useAnswerInvite, useOwnInvites } from './invites.queries.ts'
import { inviteStatus } from './member-rows.ts'
import styles from './members.module.css'

const STATUS: Record<ReturnType<typeof inviteStatus>, { text: string; tone: Tone }> = {
  pending: { text: 'Pending', tone: 'warning' },
  accepted: { text: 'Accepted', tone: 'success' },
  active: { text: 'Accepted', tone: 'success' },
  cancelled: { text: 'Cancelled', tone: 'neutral' },
  declined: { text: 'Declined', tone: 'danger' },
  owner: { text: 'Owner', tone: 'accent' },
}

export function Component() {
  const invites = useOwnInvites()
  if (invites.isError) {
    return (
      <ErrorPanel
        title="Your invites could not be loaded"
        detail={invites.error.message}
        reference={invites.error.requestId}
        isRetrying={invites.isFetching}
        onRetry={() => void invites.refetch()}
      />
    )
  }
  if (invites.isPending) {
    return (
      <Loading label="Loading your invites" className={styles.ghosts}>
        <Skeleton height={60} />
        <Skeleton height={60} />
      </Loading>
    )
  }
  if (invites.data.length === 0) {
    return (
      <EmptyState
        icon={<MailOpen />}
        title="No invites"
        subtitle="When somebody invites you to their account, the invite waits here for 7 days."
      />
    )
  }
  return (
    <Card isFlush title="Invites" subtitle="Accounts you were invited to.">
      <ul className={styles.invites}>
        {invites.data.map((invite) => (
          <InviteRow key={invite.id} invite={invite} />
        ))}
      </ul>
    </Card>
  )
}

function InviteRow({ invite }: { invite: Invite }) {
  const { accept, decline, isBusy } = useAnswerInvite()
  const { name } = invite.account_info.account
  const status = inviteStatus(invite)
  return (
    <li>
      <Face name={name} isSquare />
      <span className={styles.inviteText}>
        <strong>{name}</strong>
        <span className={styles.note}>
          From {fullName(invite.inviting_profile)} · <DateTime value={invite.invited_at} format="relative" />
        </span>
      </span>
      <StatusDot tone={STATUS[status].tone}>{STATUS[status].text}</StatusDot>
      {status === 'pending' && (
        <span className={styles.answer}>
          <Button size="sm" variant="primary" isBusy={isBusy} onClick={() => accept(invite)}>
            Accept invite
          </Button>
          <Button size="sm" disabled={isBusy} onClick={() => decline(invite)}>
            Decline invite
          </Button>
        </span>
      )}
    </li>
  )
}
