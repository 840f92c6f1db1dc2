import { AccountName } from '@trellis/contract/accounts/names'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { Form, FormActions, FormTextField, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { TextField } from '../../ui/forms/TextField.tsx'
import { Section } from '../../ui/layout/Page.tsx'
import { canIn, useCurrentAccount, useUpdateAccount } from './accounts.queries.ts'
import { OwnershipSection } from './OwnershipSection.tsx'

const NameForm = z.object({ name: AccountName })

export function DetailsTab() {
  const account = useCurrentAccount()
  const update = useUpdateAccount()
  const form = useSchemaForm(NameForm, { name: account.name })
  const { reset, follow } = form
  const canEdit = canIn(account, 'account:update')
  const code = account.trellis_code
  useEffect(() => follow({ name: account.name }), [account.name, follow])

  const save = async ({ name }: z.infer<typeof NameForm>) => {
    const saved = await update
      .mutateAsync({ params: { account_trellis_code: code }, body: { account_trellis_code: code, name } })
      .catch(() => null)
    if (saved) reset({ name: saved.name })
  }
  return (
    <div>
      <Section title="Name" subtitle="What everybody in the account sees.">
        <Form form={form} onSubmit={save} isDisabled={!canEdit}>
          <FormTextField name="name" label="Account name" autoComplete="organization" />
          <TextField
            label="Account code"
            value={code}
            readOnly
            isMono
            hint="Begins every address of this account and is its name in the API. It never changes."
            end={<CopyButton text={code} what="Copy account code" />}
          />
          {canEdit && (
            <FormActions>
              <SubmitButton>Save changes</SubmitButton>
            </FormActions>
          )}
        </Form>
      </Section>
      {canIn(account, 'account:delete') && <OwnershipSection account={account} />}
    </div>
  )
}
