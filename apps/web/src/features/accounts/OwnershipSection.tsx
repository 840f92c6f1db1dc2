import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { listMembers } from '@trellis/contract/members/members.endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Select } from '../../ui/forms/Select.tsx'
import { FormActions } from '../../ui/forms/Form.tsx'
import { Section, Stack } from '../../ui/layout/Page.tsx'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { useMembers } from '../members/members.queries.ts'
import { fullName } from '../profile/profile.queries.ts'
import { useTransferOwnership } from './accounts.queries.ts'
import styles from './accounts.module.css'

export function OwnershipSection({ account }: { account: Account }) {
  const members = useMembers(account.trellis_code)
  const client = useQueryClient()
  const transfer = useTransferOwnership()
  const [selected, setSelected] = useState('')
  const [isAsking, setAsking] = useState(false)
  const others = (members.data ?? []).filter((member) => !member.is_owner)
  const receiver = others.find((candidate) => String(candidate.profile.id) === selected)?.profile

  const transferToReceiver = async () => {
    if (!receiver) return
    const isDone = await transfer
      .mutateAsync({
        params: { account_trellis_code: account.trellis_code },
        body: { receiving_profile_id: receiver.id },
      })
      .then(() => true)
      .catch(() => false)
    if (!isDone) return
    setAsking(false)
    await client.invalidateQueries({ queryKey: [listMembers.id] })
  }
  return (
    <Section
      title="Ownership"
      subtitle="The owner alone can delete the account, remove admins and hand the ownership on."
    >
      {members.isPending ? (
        <Loading label="Loading the members">
          <Skeleton height={32} />
        </Loading>
      ) : members.isError ? (
        <ErrorPanel
          title="The members could not be loaded"
          detail={members.error.message}
          reference={members.error.requestId}
          isRetrying={members.isFetching}
          onRetry={() => void members.refetch()}
        />
      ) : others.length === 0 ? (
        <p className={styles.fine}>You are the only member. Add somebody first to hand the ownership on.</p>
      ) : (
        <Stack>
          <Select
            label="New owner"
            placeholder="Choose a member"
            value={selected}
            onChange={(event) => setSelected(event.target.value)}
            options={others.map(({ profile }) => ({
              value: String(profile.id),
              label: `${fullName(profile)} (${profile.email})`,
            }))}
          />
          <FormActions>
            <Button disabled={!receiver} onClick={() => setAsking(true)}>
              Hand the ownership on…
            </Button>
          </FormActions>
        </Stack>
      )}
      {isAsking && receiver && (
        <ConfirmDialog
          title={`Make ${fullName(receiver)} the owner?`}
          confirmLabel="Hand on"
          isBusy={transfer.isPending}
          error={transfer.error?.message}
          onConfirm={() => void transferToReceiver()}
          onClose={() => setAsking(false)}
        >
          {fullName(receiver)} becomes the owner of {account.name}. You stay in it with full control, but can no longer
          delete the account, and only the new owner can give the ownership back.
        </ConfirmDialog>
      )}
    </Section>
  )
}
