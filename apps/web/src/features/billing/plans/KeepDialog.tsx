import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { Usage } from '@trellis/contract/billing/billing.schemas'
import { PLANS } from '@trellis/contract/billing/plans'
import { useState } from 'react'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Checkbox, RadioGroup } from '../../../ui/forms/Choices.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { isOpen } from '../../members/invites.queries.ts'
import { useInvited, useMembers } from '../../members/members.queries.ts'
import { useProfile } from '../../profile/profile.queries.ts'
import { useDeleteSurplus } from './keep.queries.ts'
import { listSurplus, toSeats, type Seat } from './surplus.ts'
import styles from './plans.module.css'

type PaidPlan = 'basic' | 'team'

interface KeepDialogProps {
  account: Account
  plan: PaidPlan
  usage: Usage
  onClose: () => void
}

/** Chooses what to keep when usage exceeds the plan; the rest is deleted. */
export function KeepDialog(about: KeepDialogProps) {
  const members = useMembers(about.account.trellis_code)
  const invited = useInvited(about.account.trellis_code, true)
  const failedApiError = members.error ?? invited.error
  if (members.data && invited.data) {
    return <Choice {...about} seats={toSeats(members.data, invited.data.filter(isOpen))} />
  }
  return (
    <ConfirmDialog
      title={formatTitle(about.plan)}
      canConfirm={false}
      onConfirm={() => undefined}
      onClose={about.onClose}
    >
      {failedApiError ? (
        <Banner tone="danger">{failedApiError.message}</Banner>
      ) : (
        <Loading label="Loading what the account holds">
          <Skeleton height={64} />
        </Loading>
      )}
    </ConfirmDialog>
  )
}

const formatTitle = (plan: PaidPlan) => `Choose what to keep on ${PLANS[plan].label}`

function Choice({ account, plan, usage, seats, onClose }: KeepDialogProps & { seats: readonly Seat[] }) {
  const profile = useProfile()
  const remove = useDeleteSurplus(account.trellis_code, profile.id)
  const [workspace, setWorkspace] = useState('')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isUnderstood, setUnderstood] = useState(false)
  const { workspaces: maxWorkspaces, seats: maxSeats } = PLANS[plan]
  const hasTooManyWorkspaces = maxWorkspaces !== null && usage.workspaces > maxWorkspaces
  const hasTooManySeats = seats.length > maxSeats
  const keptCount = seats.length - left.size
  const canConfirm =
    isUnderstood && (!hasTooManyWorkspaces || workspace !== '') && (!hasTooManySeats || keptCount <= maxSeats)
  const confirm = async () => {
    const keptAddress = hasTooManyWorkspaces ? workspace : null
    const isDone = await remove.mutateAsync(listSurplus({ account, seats, keptAddress, left })).then(
      () => true,
      () => false,
    )
    if (isDone) onClose()
  }
  const toggle = (key: string, isKept: boolean) =>
    setLeft((before) => {
      const next = new Set(before)
      if (isKept) next.delete(key)
      else next.add(key)
      return next
    })
  return (
    <ConfirmDialog
      title={formatTitle(plan)}
      confirmLabel="Delete the rest"
      canConfirm={canConfirm}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <div className={styles.keep}>
        {hasTooManyWorkspaces && (
          <RadioGroup
            label="Workspace to keep"
            value={workspace}
            onChange={setWorkspace}
            options={account.workspaces.map((workspace) => ({
              value: workspace.workspace_address,
              label: workspace.name,
              hint: workspace.workspace_address,
            }))}
          />
        )}
        {hasTooManySeats && (
          <fieldset className={styles.seats}>
            <legend>
              People to keep: {keptCount} of at most {maxSeats}
            </legend>
            {seats.map((seat) => (
              <Checkbox
                key={seat.key}
                label={seat.name}
                hint={seat.hint}
                checked={!left.has(seat.key)}
                disabled={seat.isOwner || seat.profileId === profile.id}
                onChange={(event) => toggle(seat.key, event.target.checked)}
              />
            ))}
          </fieldset>
        )}
        <p className={styles.fine}>
          Access to the rest ends at once. Deleted workspaces can be restored for 7 days, on a plan with room for them.
        </p>
        <Checkbox
          label="I understand this action will result in permanent loss of data."
          checked={isUnderstood}
          onChange={(event) => setUnderstood(event.target.checked)}
        />
      </div>
    </ConfirmDialog>
  )
}
