import { type AiModel, UpdateAiModelRequest } from '@trellis/contract/ai/models.schemas'
import * as z from 'zod/mini'
import { ApiError, getErrorDetail } from '../../../api/api-error.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Form, FormActions, FormTextField, showServerError, SubmitButton } from '../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Select } from '../../../ui/forms/Select.tsx'
import { useUpdateAiModel } from './ai-model.queries.ts'
import { BASE_URLS, PROTOCOL_LABELS } from './model-words.ts'

const { protocol, base_url, model } = UpdateAiModelRequest.shape
const ModelFields = z.object({
  protocol,
  base_url,
  model,
  api_key: z.string().check(z.maxLength(500), z.regex(/^[\x21-\x7e]*$/, 'A key has no spaces')),
})
type Values = z.infer<typeof ModelFields>

const PROTOCOLS = protocol.options.map((value) => ({ value, label: PROTOCOL_LABELS[value] }))

const toValues = (stored: AiModel): Values =>
  stored.source === 'account'
    ? {
        protocol: stored.protocol ?? 'anthropic',
        base_url: stored.base_url ?? '',
        model: stored.model ?? '',
        api_key: '',
      }
    : { protocol: 'anthropic', base_url: BASE_URLS.anthropic, model: '', api_key: '' }

export function ModelForm({ account, model: stored }: { account: string; model: AiModel }) {
  const update = useUpdateAiModel()
  const form = useSchemaForm<Values>(ModelFields, toValues(stored))
  const hasKey = stored.source === 'account' && stored.has_key
  const save = async ({ api_key, ...values }: Values) => {
    const body = { ...values, ...(api_key !== '' && { api_key }) }
    try {
      form.reset(toValues(await update.mutateAsync({ params: { account_trellis_code: account }, body })))
    } catch (error) {
      if (error instanceof ApiError && showServerError(form, error)) update.reset()
    }
  }
  const chooseProtocol = (next: Values['protocol']) => {
    const isUntouched = ['', BASE_URLS[form.values.protocol]].includes(form.values.base_url)
    if (isUntouched) form.setValue('base_url', BASE_URLS[next])
    form.setValue('protocol', next)
  }
  return (
    <Form form={form} onSubmit={save}>
      <Select
        label="Protocol"
        options={PROTOCOLS}
        value={form.values.protocol}
        onChange={(event) => chooseProtocol(event.target.value as Values['protocol'])}
      />
      <FormTextField
        name="base_url"
        label="Base URL"
        isMono
        placeholder={BASE_URLS[form.values.protocol]}
        hint="Up to the version, as in https://host/v1."
        autoComplete="off"
        spellCheck={false}
      />
      <FormTextField
        name="model"
        label="Model"
        isMono
        hint="The name as the endpoint knows it."
        autoComplete="off"
        spellCheck={false}
      />
      <FormTextField
        name="api_key"
        label="API key"
        type="password"
        isMono
        isOptional
        hint={
          hasKey
            ? 'A key is stored. Leave this empty to keep it; it must be entered again for another address.'
            : 'Stored encrypted and never shown again. Leave it empty for an endpoint without a key.'
        }
        autoComplete="off"
      />
      {update.error && (
        <Banner tone="danger" title="The model was not saved">
          {getErrorDetail(update.error)}
        </Banner>
      )}
      <FormActions>
        <SubmitButton>Test and save</SubmitButton>
      </FormActions>
    </Form>
  )
}
