import { WorkspaceName } from '@trellis/contract/accounts/names'
import { allows } from '@trellis/contract/core/permissions'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '../../ui/actions/Button.tsx'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { Form, FormActions, FormTextField, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { TextField } from '../../ui/forms/TextField.tsx'
import { Page, PageHeader, Section } from '../../ui/layout/Page.tsx'
import { canIn, useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { DeleteWorkspaceDialog } from './DeleteWorkspaceDialog.tsx'
import styles from './workspaces.module.css'
import { useUpdateWorkspace } from './workspaces.queries.ts'

const NameForm = z.object({ name: WorkspaceName })

export function Component() {
  const { account, workspace, params, home } = useCurrentWorkspace()
  const [isDeleting, setDeleting] = useState(false)
  const update = useUpdateWorkspace()
  const form = useSchemaForm(NameForm, { name: workspace.name })
  const { reset, follow } = form
  const { workspace_address } = params
  const url = `${location.origin}${home}`
  const canEdit = allows('workspace:update', { accountRole: account.role, workspaceRole: workspace.role })
  useEffect(() => follow({ name: workspace.name }), [workspace.name, follow])

  const save = async ({ name }: z.infer<typeof NameForm>) => {
    const saved = await update.mutateAsync({ params, body: { name, workspace_address } }).catch(() => null)
    if (saved) reset({ name: saved.name })
  }
  return (
    <Page width="narrow">
      <PageHeader title="Workspace settings" subtitle={workspace.name} />
      <div>
        <Section title="Name and address" subtitle="How people find this workspace.">
          <Form form={form} onSubmit={save} isDisabled={!canEdit}>
            <TextField
              label="Workspace URL"
              value={url}
              readOnly
              hint="The address was chosen when the workspace was created and cannot be changed."
              end={<CopyButton text={url} what="Copy workspace URL" />}
            />
            <FormTextField name="name" label="Workspace name" autoComplete="off" />
            {canEdit && (
              <FormActions>
                <SubmitButton>Save changes</SubmitButton>
              </FormActions>
            )}
          </Form>
        </Section>
        {canIn(account, 'workspaces:delete') && (
          <Section title="Delete workspace" subtitle="Can be undone for 7 days.">
            <p className={styles.fine}>
              Its database, dataflows, integrations and worksheets are deleted. Access ends at once.
            </p>
            <Button variant="danger" onClick={() => setDeleting(true)}>
              Delete workspace…
            </Button>
          </Section>
        )}
      </div>
      {isDeleting && <DeleteWorkspaceDialog workspace={workspace} onClose={() => setDeleting(false)} />}
    </Page>
  )
}
