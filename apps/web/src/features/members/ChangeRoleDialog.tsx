import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { MemberAccessEffect } from '@trellis/contract/members/members.schemas'
import { useState } from 'react'
import { getErrorDetail } from '../../api/api-error.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { RadioGroup } from '../../ui/forms/Choices.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import type { AccessLevel } from './add/wizard.ts'
import { type ChosenRoles, isSameAccess, toAccess, toChosen } from './chosen-roles.ts'
import type { MemberRow } from './member-rows.ts'
import { useMemberAccess, usePlanMemberAccess, useRoles, useUpdateMemberAccess } from './members.queries.ts'
import styles from './members.module.css'
import { ROLES } from './role-labels.ts'
import { RoleEffects } from './RoleEffects.tsx'
import { WorkspaceRolesTable } from './WorkspaceRolesTable.tsx'

interface Props {
  account: Account
  row: MemberRow
  onClose: () => void
}

export function ChangeRoleDialog({ account, row, onClose }: Props) {
  const params = { account_trellis_code: account.trellis_code, profile_id: row.profileId ?? 0 }
  const { chosen, wanted, workspaceRoles, failed, canReview, choose } = useChoice(params)
  const plan = usePlanMemberAccess()
  const update = useUpdateMemberAccess()
  const [effects, setEffects] = useState<readonly MemberAccessEffect[]>()
  const [problem, setProblem] = useState<string>()
  const isBusy = plan.isPending || update.isPending

  const goOn = async () => {
    if (!wanted) return
    setProblem(undefined)
    try {
      if (!effects) return setEffects(await plan.mutateAsync({ params, body: wanted }))
      await update.mutateAsync({ params, body: wanted })
      onClose()
    } catch (error) {
      setProblem(getErrorDetail(error))
    }
  }
  return (
    <Dialog
      title={`Change role of ${row.name || row.email}`}
      size="md"
      isLocked={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button disabled={isBusy} onClick={() => (effects ? setEffects(undefined) : onClose())}>
            {effects ? 'Back' : 'Cancel'}
          </Button>
          <Button variant="primary" isBusy={isBusy} disabled={!canReview} onClick={() => void goOn()}>
            {effects ? 'Change role' : 'Review changes'}
          </Button>
        </>
      }
    >
      <div className={styles.changeRole}>
        {effects ? (
          <RoleEffects effects={effects} />
        ) : failed ? (
          <LoadFailed onRetry={() => void failed.refetch()} />
        ) : chosen && workspaceRoles ? (
          <RoleChoice account={account} roles={workspaceRoles} chosen={chosen} onChange={choose} />
        ) : (
          <Loading label="Loading the roles">
            <Skeleton height={120} />
          </Loading>
        )}
        {problem && <Banner tone="danger">{problem}</Banner>}
      </div>
    </Dialog>
  )
}

function useChoice(params: { account_trellis_code: string; profile_id: number }) {
  const access = useMemberAccess(params)
  const roles = useRoles()
  const [changedRoles, setChanged] = useState<ChosenRoles>()
  const known = roles.account.data
  const current = access.isFetching ? undefined : access.data
  const chosen = changedRoles ?? (current && known && toChosen(current, known))
  const wanted = chosen && known && toAccess(chosen, known)
  const isComplete = chosen !== undefined && (chosen.level === 'account_admin' || hasRole(chosen))
  return {
    chosen,
    wanted,
    workspaceRoles: roles.workspace.data,
    failed: [access, roles.account, roles.workspace].find((query) => query.isError),
    canReview: isComplete && current !== undefined && wanted !== undefined && !isSameAccess(current, wanted),
    choose: setChanged,
  }
}

const hasRole = ({ given }: ChosenRoles) => Object.keys(given).length > 0

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Banner
      tone="danger"
      action={
        <Button size="sm" onClick={onRetry}>
          Retry
        </Button>
      }
    >
      The roles could not be loaded.
    </Banner>
  )
}

interface ChoiceProps {
  account: Account
  roles: readonly { id: number; name: string }[]
  chosen: ChosenRoles
  onChange: (chosen: ChosenRoles) => void
}

function RoleChoice({ account, roles, chosen, onChange }: ChoiceProps) {
  const isPartial = chosen.level === 'account_view'
  return (
    <>
      <RadioGroup
        label="Access level"
        value={chosen.level}
        onChange={(level) => onChange({ ...chosen, level: level as AccessLevel })}
        options={(['account_admin', 'account_view'] as const).map((value) => ({ value, ...ROLES[value] }))}
      />
      {isPartial && (
        <WorkspaceRolesTable
          workspaces={account.workspaces}
          roles={roles}
          value={chosen.given}
          onChange={(given) => onChange({ ...chosen, given })}
        />
      )}
      {isPartial && !hasRole(chosen) && <Banner tone="info">Give access to at least one workspace.</Banner>}
    </>
  )
}
