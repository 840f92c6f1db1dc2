import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type * as z from 'zod/mini'
import { ApiError } from '../../../api/api-error.ts'
import { NotFoundPage } from '../../../app/errors/ErrorPage.tsx'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Form, FormActions, showServerError, SubmitButton } from '../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Page } from '../../../ui/layout/Page.tsx'
import { canIn, useCurrentAccount } from '../../accounts/accounts.queries.ts'
import { useProfile } from '../../profile/profile.queries.ts'
import { CreationProgress, useCreation } from './CreationProgress.tsx'
import { LimitReached } from './NewWorkspaceDialog.tsx'
import { markFirstVisit } from '../home/first-visit.ts'
import { isAtLimit, WorkspaceForm } from './workspace-form.ts'
import { WorkspaceFields } from './WorkspaceFields.tsx'
import styles from '../workspaces.module.css'
import { useAccountLimits, useCreateWorkspace, useRefreshWorkspaces } from '../workspaces.queries.ts'

export function Component() {
  const account = useCurrentAccount()
  const [created, setCreated] = useState<Workspace | null>(null)
  if (!canIn(account, 'workspaces:create')) return <NotFoundPage />
  return (
    <Page width="narrow">
      <div className={styles.centred}>
        <h1>Create workspace</h1>
        <p className={styles.lead}>Create the initial workspace for this account.</p>
        {created ? (
          <FirstWorkspace created={created} onRetry={() => setCreated(null)} />
        ) : (
          <FirstWorkspaceForm accountCode={account.trellis_code} onCreated={setCreated} />
        )}
      </div>
    </Page>
  )
}

function FirstWorkspace({ created, onRetry }: { created: Workspace; onRetry: () => void }) {
  const creation = useCreation(created)
  return (
    <>
      <CreationProgress {...creation} />
      {creation.state === 'done' && <GoThere workspace={created} />}
      {creation.state === 'failed' && (
        <div className={styles.creationEnd}>
          <Button onClick={onRetry}>Retry</Button>
        </div>
      )}
    </>
  )
}

function FirstWorkspaceForm({
  accountCode,
  onCreated,
}: {
  accountCode: string
  onCreated: (workspace: Workspace) => void
}) {
  const { id: created_by_profile_id } = useProfile()
  const create = useCreateWorkspace()
  const limits = useAccountLimits()
  const isFull = isAtLimit(limits.data, accountCode)
  const form = useSchemaForm(WorkspaceForm, { name: '', workspace_address: '' })
  const submit = async (body: z.infer<typeof WorkspaceForm>) => {
    try {
      onCreated(
        await create.mutateAsync({
          params: { account_trellis_code: accountCode },
          body: { ...body, created_by_profile_id },
        }),
      )
    } catch (error) {
      if (error instanceof ApiError) showServerError(form, error)
    }
  }
  return (
    <Form form={form} onSubmit={submit}>
      {isFull && <LimitReached accountCode={accountCode} />}
      <WorkspaceFields form={form} accountCode={accountCode} isDisabled={isFull} />
      <FormActions>
        <SubmitButton disabled={isFull}>Create workspace</SubmitButton>
        <ButtonLink to="/workspaces" variant="ghost">
          Back to workspace selection
        </ButtonLink>
      </FormActions>
    </Form>
  )
}

function GoThere({ workspace }: { workspace: Workspace }) {
  const navigate = useNavigate()
  const refresh = useRefreshWorkspaces()
  const { account_trellis_code, workspace_address } = workspace
  useEffect(() => {
    let isHere = true
    void refresh().then(() => {
      if (!isHere) return
      showToast({ tone: 'success', text: 'Workspace successfully created.' })
      markFirstVisit(account_trellis_code)
      void navigate(`/${account_trellis_code}/${workspace_address}/dashboard`, { replace: true })
    })
    return () => {
      isHere = false
    }
  }, [refresh, navigate, account_trellis_code, workspace_address])
  return null
}
