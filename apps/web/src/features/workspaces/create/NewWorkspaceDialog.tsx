import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { FormSelect, showServerError } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useProfile } from '../../profile/profile.queries.ts'
import { CreationProgress, useCreation } from './CreationProgress.tsx'
import { isAtLimit, NewWorkspaceForm, type NewWorkspaceValues } from './workspace-form.ts'
import { WorkspaceFields } from './WorkspaceFields.tsx'
import { useAccountLimits, useCreateWorkspace, useRefreshWorkspaces } from '../workspaces.queries.ts'

interface Props {
  accounts: readonly Account[]
  onClose: () => void
}

export function NewWorkspaceDialog({ accounts, onClose }: Props) {
  const [created, setCreated] = useState<Workspace | null>(null)
  const form = useSchemaForm(NewWorkspaceForm, {
    account: (accounts.length === 1 && accounts[0]?.trellis_code) || '',
    name: '',
    workspace_address: '',
  })
  const navigate = useNavigate()
  const refresh = useRefreshWorkspaces()
  const close = () => {
    onClose()
    if (created) void refresh()
  }
  const enter = async ({ account_trellis_code, workspace_address }: Workspace) => {
    await refresh()
    void navigate(`/${account_trellis_code}/${workspace_address}/dashboard`)
  }
  if (!created) {
    return <NameWorkspace form={form} accounts={accounts} onCreated={setCreated} onClose={close} />
  }
  return (
    <CreatedWorkspace
      created={created}
      onRetry={() => setCreated(null)}
      onEnter={() => void enter(created)}
      onClose={close}
    />
  )
}

interface CreatedProps {
  created: Workspace
  onRetry: () => void
  onEnter: () => void
  onClose: () => void
}

function CreatedWorkspace({ created, onRetry, onEnter, onClose }: CreatedProps) {
  const creation = useCreation(created)
  const { state } = creation
  return (
    <Dialog
      title="New workspace"
      onClose={onClose}
      isLocked
      footer={
        <>
          {state === 'failed' && <Button onClick={onRetry}>Edit and try again</Button>}
          <Button disabled={state === 'under way'} onClick={onClose}>
            Back to overview
          </Button>
          {state === 'done' && (
            <Button variant="primary" onClick={onEnter}>
              Enter workspace
            </Button>
          )}
        </>
      }
    >
      <CreationProgress {...creation} />
    </Dialog>
  )
}

function NameWorkspace({
  form,
  accounts,
  onCreated,
  onClose,
}: {
  form: ReturnType<typeof useSchemaForm<NewWorkspaceValues>>
  accounts: readonly Account[]
  onCreated: (workspace: Workspace) => void
  onClose: () => void
}) {
  const { id: created_by_profile_id } = useProfile()
  const create = useCreateWorkspace()
  const limits = useAccountLimits()
  const code = form.values.account
  const isFull = isAtLimit(limits.data, code)
  const submit = async ({ account, ...body }: NewWorkspaceValues) => {
    try {
      onCreated(
        await create.mutateAsync({
          params: { account_trellis_code: account },
          body: { ...body, created_by_profile_id },
        }),
      )
    } catch (error) {
      if (error instanceof ApiError) showServerError(form, error)
    }
  }
  return (
    <FormDialog
      title="New workspace"
      form={form}
      submitLabel="Create workspace"
      canSubmit={!isFull}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormSelect
        name="account"
        label="Account"
        {...(code === '' && { 'data-autofocus': true })}
        placeholder="Choose an account"
        options={accounts.map((account) => ({ value: account.trellis_code, label: account.name }))}
      />
      {isFull && <LimitReached accountCode={code} />}
      <WorkspaceFields form={form} accountCode={code} isDisabled={isFull} />
    </FormDialog>
  )
}

export function LimitReached({ accountCode }: { accountCode: string }) {
  return (
    <Banner tone="warning" action={<Link to={`/${accountCode}/plan-change`}>View plans</Link>}>
      Workspace limit reached. Please upgrade your plan to create additional workspaces.
    </Banner>
  )
}
