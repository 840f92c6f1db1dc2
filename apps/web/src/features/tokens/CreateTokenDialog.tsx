import { AccessTokenCreate, TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import { useState } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Checkbox } from '../../ui/forms/Choices.tsx'
import { Form, FormActions, FormSelect, FormTextField, showServerError, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { AssistantSetup } from './AssistantSetup.tsx'
import { LIFETIMES, SCOPES } from './token-choices.ts'
import styles from './tokens.module.css'
import { useCreateToken } from './tokens.queries.ts'

const TokenForm = z.object({
  name: AccessTokenCreate.shape.name,
  scopes: z.array(TokenScope).check(z.minLength(1, 'Choose at least one scope')),
  days: z.string(),
})
type Values = z.infer<typeof TokenForm>
type CreatedToken = Pick<Values, 'scopes'> & { secret: string }

export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<CreatedToken | null>(null)
  return (
    <Dialog
      title={created === null ? 'Create a token' : 'Your new token'}
      size="md"
      isLocked={created !== null}
      onClose={onClose}
    >
      {created === null ? <TokenFields onCreated={setCreated} /> : <Secret created={created} onDone={onClose} />}
    </Dialog>
  )
}

function TokenFields({ onCreated }: { onCreated: (created: CreatedToken) => void }) {
  const create = useCreateToken()
  const form = useSchemaForm<Values>(TokenForm, { name: '', scopes: ['read'], days: '90' })
  const scopes = form.values.scopes
  const toggle = (scope: z.infer<typeof TokenScope>, isOn: boolean) =>
    form.setValue('scopes', isOn ? [...scopes, scope] : scopes.filter((candidate) => candidate !== scope))
  const submit = async ({ name, scopes, days }: Values) => {
    try {
      const body = { name, scopes, days: days === '' ? null : Number(days) }
      onCreated(await create.mutateAsync({ body }))
    } catch (error) {
      if (error instanceof ApiError) showServerError(form, error)
    }
  }
  return (
    <Form form={form} onSubmit={submit}>
      <FormTextField
        name="name"
        label="Name"
        hint="What it is for, so that you recognize it."
        autoComplete="off"
        data-autofocus
      />
      <fieldset className={styles.scopes}>
        <legend>Scopes</legend>
        {SCOPES.map(({ value, label, hint }) => (
          <Checkbox
            key={value}
            label={label}
            hint={hint}
            checked={scopes.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
          />
        ))}
        {scopes.length === 0 && (
          <p role="alert" className={styles.problem}>
            Choose at least one scope
          </p>
        )}
      </fieldset>
      <FormSelect
        name="days"
        label="Expires after"
        options={LIFETIMES}
        hint="A token never allows more than you may do yourself."
      />
      {create.isError && <Banner tone="danger">{create.error.message}</Banner>}
      <FormActions>
        <SubmitButton>Create token</SubmitButton>
      </FormActions>
    </Form>
  )
}

function Secret({ created: { secret, scopes }, onDone }: { created: CreatedToken; onDone: () => void }) {
  return (
    <div className={styles.secret}>
      <Banner tone="warning" title="Copy it now">
        The token is shown this once. Keep it like a password: whoever has it acts in your name.
      </Banner>
      <CodeBlock title="Token" code={secret} isWrapped />
      <CodeBlock
        title="Try it"
        code={`curl -H "Authorization: Bearer ${secret}" ${location.origin}/api/account`}
        isWrapped
      />
      {scopes.includes('read') && (
        <>
          <h3 className={styles.heading}>Connect an AI assistant</h3>
          <AssistantSetup token={secret} />
        </>
      )}
      <FormActions>
        <Button variant="primary" onClick={onDone}>
          I have copied it
        </Button>
      </FormActions>
    </div>
  )
}
