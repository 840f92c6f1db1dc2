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
          <Answer invite={invite} size="sm" />
        </span>
      </span>
    </Banner>
  )
}

/** For somebody who has no account yet: the invite is all there is to see. */
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

function Answer({ invite, size = 'md' }: { invite: Invite; size?: 'sm' | 'md' }) {
  const { accept, decline, isBusy } = useAnswerInvite()
  return (
    <>
      <Button variant="primary" size={size} isBusy={isBusy} onClick={() => accept(invite)}>
        Accept invite
      </Button>
      <Button size={size} disabled={isBusy} onClick={() => decline(invite)}>
        Decline invite
      </Button>
    </>
  )
}
