import { TemporaryAccountCreate } from '@trellis/contract/accounts/accounts.schemas'
import { useNavigate } from 'react-router'
import type { PlanSelectState } from '../../app/plan-select-state.ts'
import { Form, FormActions, FormTextField, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { Page } from '../../ui/layout/Page.tsx'
import { useCreateTemporaryAccount } from './accounts.queries.ts'
import styles from './accounts.module.css'

export function Component() {
  const create = useCreateTemporaryAccount()
  const navigate = useNavigate()
  const form = useSchemaForm(TemporaryAccountCreate, { name: '' })
  const submit = async ({ name }: { name: string }) => {
    const temporaryAccount = await create.mutateAsync({ body: { name } }).catch(() => null)
    if (!temporaryAccount) return
    const state: PlanSelectState = { temporaryAccount }
    void navigate('/plan-select', { state })
  }
  return (
    <Page width="narrow">
      <div className={styles.centred}>
        <h1>Create account</h1>
        <p className={styles.lead}>
          <span>Start by naming your account.</span>
          <span>You'll choose a plan next.</span>
        </p>
        <Form form={form} onSubmit={submit}>
          <FormTextField name="name" label="Account name" autoComplete="organization" autoFocus />
          <FormActions>
            <SubmitButton>Plan selection</SubmitButton>
          </FormActions>
        </Form>
      </div>
    </Page>
  )
}
