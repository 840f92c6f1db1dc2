import type { Invite } from '@trellis/contract/members/members.schemas'
import { MailOpen } from 'lucide-react'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { FullNotice } from '../../ui/feedback/FullNotice.tsx'
import { useAnswerInvite } from '../members/invites.queries.ts'
import { fullName } from '../profile/profile.queries.ts'
import styles from './workspaces.module.css'

export function InviteBanner({ invite }: { invite: Invite }) {
  return (
    <Banner title="Pending invite">
      <span className={styles.invite}>
        <span>
          {fullName(invite.inviting_profile)} invites you to the account {invite.account_info.account.name}.
        </span>
        <span className={styles.answer}>
          <Answer invite={invite} isInBanner />
        </span>
      </span>
    </Banner>
  )
}

export function PendingInvite({ invite }: { invite: Invite }) {
  const { name } = invite.account_info.account
  return (
    <FullNotice icon={<MailOpen />} tone="accent" title="Pending invite" actions={<Answer invite={invite} />}>
      <p>
        {fullName(invite.inviting_profile)} ({invite.inviting_profile.email}) invites you to the account{' '}
        <strong>{name}</strong>.
      </p>
      <p>Accept it to see the workspaces shared with you.</p>
    </FullNotice>
  )
}

/** In a banner it is secondary: the page has its own primary button. */
function Answer({ invite, isInBanner = false }: { invite: Invite; isInBanner?: boolean }) {
  const { accept, decline, isBusy } = useAnswerInvite()
  const size = isInBanner ? 'sm' : 'md'
  return (
    <>
      <Button variant={isInBanner ? 'secondary' : 'primary'} size={size} isBusy={isBusy} onClick={() => accept(invite)}>
        Accept invite
      </Button>
      <Button
        variant={isInBanner ? 'ghost' : 'secondary'}
        size={size}
        disabled={isBusy}
        onClick={() => decline(invite)}
      >
        Decline invite
      </Button>
    </>
  )
}
