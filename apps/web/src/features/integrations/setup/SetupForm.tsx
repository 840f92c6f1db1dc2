import { hasConsentLink } from '@trellis/contract/formas/consent'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { knownValues } from '@trellis/contract/formas/forma-rules'
import { toSampleForma } from '@trellis/contract/formas/sample-data'
import type { PlatformDetails } from '@trellis/contract/integrations/integrations.schemas'
import { useEffect, useId, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, fieldOf } from '../../../api/api-error.ts'
import { missingWords } from '../../../formas/missing-words.ts'
import { inventedValues, valuesToSend } from '../../../formas/forma-start.ts'
import { dayOf } from '../../../formas/today.ts'
import { canSend, useForma } from '../../../formas/use-forma.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Switch } from '../../../ui/forms/Choices.tsx'
import { FormActions } from '../../../ui/forms/Form.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from '../integrations.module.css'
import { useCreateIntegration, useLink } from '../integrations.queries.ts'
import { manifestRule } from '../rest-builder/manifest-rule.ts'
import { useIntegrationsPlace } from '../use-integrations.ts'
import { goToConsent } from './consent.ts'
import { type DocsMode, getDocsMode } from './docs-for-mode.ts'
import { IntegrationForma } from './IntegrationForma.tsx'
import { NameFields, isNamed, type Naming } from './NameFields.tsx'
import { OauthGuide } from './OauthGuide.tsx'
import { needsConsent } from './oauth-words.ts'

/** A new connection: kept first, then checked; or sent on to the platform's consent page. */
export default function SetupForm({
  platform,
  forma,
  onModeChange,
}: {
  platform: PlatformDetails
  forma: Forma
  onModeChange: (mode: DocsMode) => void
}) {
  const { address, paths } = useIntegrationsPlace()
  const navigate = useNavigate()
  /** What was entered before sample values took its place. */
  const [real, setReal] = useState<FormaValues | null>(null)
  const isSimulated = real !== null
  const asked = useMemo(() => (isSimulated ? toSampleForma(forma) : forma), [forma, isSimulated])
  const custom = useMemo(() => manifestRule(forma), [forma])
  const form = useForma(asked, { custom })
  // Where nothing else has to be entered, one click is enough.
  const [naming, setNaming] = useState<Naming>({ name: form.isComplete ? platform.name : '', description: '' })
  const create = useCreateIntegration()
  const link = useLink()
  const isBusy = create.isPending || link.isPending
  const asksConsent = needsConsent(form.forma, form.values)
  const mode = getDocsMode(forma, form.values, isSimulated)
  useEffect(() => onModeChange(mode), [mode, onModeChange])
  const isReady =
    isNamed(naming) && canSend({ ...form, isDirty: form.isDirty || naming.name !== '' }, { isBusy, isDisabled: false })

  const simulate = (isOn: boolean) => {
    setReal(isOn ? form.values : null)
    if (!isOn) return form.change(real ?? form.values)
    form.change(inventedValues(toSampleForma(forma), form.values, dayOf(new Date())))
    if (naming.name === '') setNaming({ ...naming, name: `${platform.name} (sample data)` })
    return undefined
  }
  const send = async () => {
    try {
      const made = await create.mutateAsync({
        params: address,
        body: {
          ...naming,
          platform_trellis_code: platform.platform_trellis_code,
          values: valuesToSend(isSimulated ? knownValues(form.forma, form.values) : form.values),
          is_simulated: isSimulated,
        },
      })
      const code = made.integration_trellis_code
      if (asksConsent) {
        const { url } = await link.mutateAsync({ params: address, body: { integration_trellis_code: code } })
        goToConsent(url, paths.description(code))
      } else void navigate(paths.update(code), { replace: true, state: { isNew: true } })
    } catch (error) {
      const field = error instanceof ApiError ? fieldOf(error)?.replace(/^values\./, '') : undefined
      if (error instanceof ApiError && field?.includes('.')) form.refuse(field, error.detail)
    }
  }
  const failure = create.error ?? link.error
  const missing = missingWords(form, isNamed(naming) ? [] : ['Name'])
  const missingId = useId()
  return (
    <Card>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) void send()
        }}
      >
        {platform.has_simulator && (
          <div className={styles.simulator}>
            <Switch
              label="Try it with sample data"
              hint={`Trellis plays ${platform.name} by itself. No account is needed and nothing leaves this server.`}
              checked={isSimulated}
              onChange={(event) => simulate(event.target.checked)}
            />
          </div>
        )}
        <NameFields isFirst naming={naming} example={platform.name} onChange={setNaming} />
        {platform.oauth && !isSimulated && hasConsentLink(form.forma, form.values) && (
          <OauthGuide oauth={platform.oauth} />
        )}
        <IntegrationForma
          form={form}
          integration={null}
          isDisabled={isBusy}
          consent={
            <p className={styles.soft}>It is asked for on the page of {platform.oauth?.provider}, after this form.</p>
          }
        />
        {failure && (
          <Banner tone="danger" title="It could not be saved">
            {failure.message}
          </Banner>
        )}
        {missing && !isBusy && (
          <p id={missingId} className={styles.soft}>
            {missing}
          </p>
        )}
        <FormActions>
          <Button
            type="submit"
            variant="primary"
            isBusy={isBusy}
            disabled={!isReady}
            aria-describedby={missing ? missingId : undefined}
          >
            {asksConsent ? `Continue to ${platform.oauth?.provider}` : 'Connect'}
          </Button>
          <ButtonLink to={paths.create}>Cancel</ButtonLink>
        </FormActions>
      </form>
    </Card>
  )
}
