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
import { type ChosenRoles, isSameAccess, toAccess, toChosenRoles } from './chosen-roles.ts'
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
  const { chosen, wanted, workspaceRoles, failedQuery, canReview, choose } = useRoleChoice(params)
  const plan = usePlanMemberAccess()
  const update = useUpdateMemberAccess()
  const [accessEffects, setEffects] = useState<readonly MemberAccessEffect[]>()
  const [problem, setProblem] = useState<string>()
  const isBusy = plan.isPending || update.isPending

  const reviewOrSave = async () => {
    if (!wanted) return
    setProblem(undefined)
    try {
      if (!accessEffects) return setEffects(await plan.mutateAsync({ params, body: wanted }))
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
          <Button disabled={isBusy} onClick={() => (accessEffects ? setEffects(undefined) : onClose())}>
            {accessEffects ? 'Back' : 'Cancel'}
          </Button>
          <Button variant="primary" isBusy={isBusy} disabled={!canReview} onClick={() => void reviewOrSave()}>
            {accessEffects ? 'Change role' : 'Review changes'}
          </Button>
        </>
      }
    >
      <div className={styles.changeRole}>
        {accessEffects ? (
          <RoleEffects effects={accessEffects} />
        ) : failedQuery ? (
          <LoadFailed onRetry={() => void failedQuery.refetch()} />
        ) : chosen && workspaceRoles ? (
          <RoleChoice account={account} roles={workspaceRoles} chosenRoles={chosen} onChange={choose} />
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

function useRoleChoice(params: { account_trellis_code: string; profile_id: number }) {
  const access = useMemberAccess(params)
  const roles = useRoles()
  const [changedRoles, setChangedRoles] = useState<ChosenRoles>()
  const accountRoles = roles.account.data
  const currentAccess = access.isFetching ? undefined : access.data
  const chosenRoles = changedRoles ?? (currentAccess && accountRoles && toChosenRoles(currentAccess, accountRoles))
  const requestedAccess = chosenRoles && accountRoles && toAccess(chosenRoles, accountRoles)
  const isComplete = chosenRoles !== undefined && (chosenRoles.level === 'account_admin' || hasRole(chosenRoles))
  return {
    chosen: chosenRoles,
    wanted: requestedAccess,
    workspaceRoles: roles.workspace.data,
    failedQuery: [access, roles.account, roles.workspace].find((query) => query.isError),
    canReview:
      isComplete &&
      currentAccess !== undefined &&
      requestedAccess !== undefined &&
      !isSameAccess(currentAccess, requestedAccess),
    choose: setChangedRoles,
  }
}

const hasRole = ({ roleByWorkspace }: ChosenRoles) => Object.keys(roleByWorkspace).length > 0

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
  chosenRoles: ChosenRoles
  onChange: (chosenRoles: ChosenRoles) => void
}

function RoleChoice({ account, roles, chosenRoles, onChange }: ChoiceProps) {
  const isPartial = chosenRoles.level === 'account_view'
  return (
    <>
      <RadioGroup
        label="Access level"
        value={chosenRoles.level}
        onChange={(level) => onChange({ ...chosenRoles, level: level as AccessLevel })}
        options={(['account_admin', 'account_view'] as const).map((value) => ({ value, ...ROLES[value] }))}
      />
      {isPartial && (
        <WorkspaceRolesTable
          workspaces={account.workspaces}
          roles={roles}
          value={chosenRoles.roleByWorkspace}
          onChange={(roleByWorkspace) => onChange({ ...chosenRoles, roleByWorkspace })}
        />
      )}
      {isPartial && !hasRole(chosenRoles) && <Banner tone="info">Give access to at least one workspace.</Banner>}
    </>
  )
}
