import { hasConsentLink } from '@trellis/contract/formas/consent'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { pickKnownValues } from '@trellis/contract/formas/forma-rules'
import { toSampleForma } from '@trellis/contract/formas/sample-data'
import type { IntegrationDetails, PlatformDetails, Problem } from '@trellis/contract/integrations/integrations.schemas'
import { useEffect, useId, useMemo, useState, type ReactNode } from 'react'
import { ApiError, getErrorField } from '../api/api-error.ts'
import { buildSampleValues, toSubmittedValues } from '../formas/forma-start.ts'
import { describeMissing } from '../formas/missing-words.ts'
import type { FormaContext } from '../formas/surroundings.ts'
import { toLocalDay } from '../ui/dates/local-day.ts'
import { canSend, useForma } from '../formas/use-forma.ts'
import { Button } from '../ui/actions/Button.tsx'
import { Banner } from '../ui/feedback/Banner.tsx'
import { Switch } from '../ui/forms/Choices.tsx'
import { FormActions } from '../ui/forms/Form.tsx'
import styles from './connecting.module.css'
import { useLink } from './connecting.queries.ts'
import { goToConsent, type ConsentReturn } from './consent.ts'
import { type DocsMode, getDocsMode } from './docs-for-mode.ts'
import { IntegrationForma } from './IntegrationForma.tsx'
import { NameFields, isNamed, type Naming } from './NameFields.tsx'
import { OauthGuide } from './OauthGuide.tsx'
import { needsConsent } from './oauth-words.ts'
import { manifestRule } from './rest-builder/manifest-rule.ts'
import { showElement, useRefusedElement } from './show-element.ts'
import { useConnect } from './use-connect.ts'
import { ProblemBanner } from './ValidationPanel.tsx'

interface ConnectProps {
  address: FormaContext['address']
  platform: PlatformDetails
  forma: Forma
  /** Stay on the form until the connection test succeeds. */
  isTested?: boolean
  /** Prefilled only when the platform needs nothing else, so that people name their connections. */
  startName?: string
  returnFromConsent: (integration: string) => ConsentReturn
  onModeChange?: (mode: DocsMode) => void
  onConnected: (integration: IntegrationDetails) => void
  cancel: ReactNode
}

export default function ConnectForm(props: ConnectProps) {
  const { address, platform, forma, isTested = false, startName, onModeChange, onConnected } = props
  /** Values entered before they were replaced by sample values. */
  const [real, setReal] = useState<FormaValues | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  const isSimulated = real !== null
  const requestedForma = useMemo(() => (isSimulated ? toSampleForma(forma) : forma), [forma, isSimulated])
  const custom = useMemo(() => manifestRule(forma), [forma])
  const form = useForma(requestedForma, { custom })
  // One click is enough when nothing else has to be entered.
  const [naming, setNaming] = useState<Naming>({
    name: startName ?? (form.isComplete ? platform.name : ''),
    description: '',
  })
  const { connect, keep, isBusy: isConnecting } = useConnect(address)
  const link = useLink()
  const isBusy = isConnecting || link.isPending
  const { setRefused } = useRefusedElement(isBusy)
  const asksConsent = needsConsent(form.forma, form.values)
  const mode = getDocsMode(forma, form.values, isSimulated)
  useEffect(() => onModeChange?.(mode), [mode, onModeChange])
  const isReady =
    isNamed(naming) && canSend({ ...form, isDirty: form.isDirty || naming.name !== '' }, { isBusy, isDisabled: false })

  const simulate = (isOn: boolean) => {
    setReal(isOn ? form.values : null)
    if (!isOn) return form.change(real ?? form.values)
    form.change(buildSampleValues(toSampleForma(forma), form.values, toLocalDay(new Date())))
    if (naming.name === '') setNaming({ ...naming, name: `${platform.name} (sample data)` })
    return undefined
  }
  const refuse = (field: string, message: string) => {
    form.refuse(field, message)
    setRefused(field)
  }
  const finish = async (integration: Awaited<ReturnType<typeof connect>>) => {
    const { details, status } = integration
    if (asksConsent) {
      const code = details.integration_trellis_code
      const { url } = await link.mutateAsync({ params: address, body: { integration_trellis_code: code } })
      await keep()
      return goToConsent(url, props.returnFromConsent(code))
    }
    if (status?.problem) {
      setProblem(status.problem)
      if (status.problem.field) refuse(status.problem.field, status.problem.message)
      return undefined
    }
    await keep()
    return onConnected(details)
  }
  const send = async () => {
    setProblem(null)
    setFailure(null)
    setRefused(null)
    form.forgetRefusals()
    try {
      const body = {
        ...naming,
        platform_trellis_code: platform.platform_trellis_code,
        values: toSubmittedValues(isSimulated ? pickKnownValues(form.forma, form.values) : form.values),
        is_simulated: isSimulated,
      }
      await finish(await connect(body, { isTested: isTested && !asksConsent }))
    } catch (error) {
      const field = error instanceof ApiError ? getErrorField(error)?.replace(/^values\./, '') : undefined
      if (error instanceof ApiError && field?.includes('.')) refuse(field, error.detail)
      setFailure(error as Error)
    }
  }
  const missing = describeMissing(form, listUnnamed(naming))
  const missingId = useId()
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void send()
      }}
    >
      {problem && !isBusy && <ProblemBanner problem={problem} onShowField={showElement} />}
      <SampleSwitch platform={platform} isOn={isSimulated} onChange={simulate} />
      <NameFields isFirst naming={naming} example={platform.name} isDisabled={isBusy} onChange={setNaming} />
      {platform.oauth && !isSimulated && hasConsentLink(form.forma, form.values) && (
        <OauthGuide oauth={platform.oauth} />
      )}
      <IntegrationForma
        address={address}
        form={form}
        integration={null}
        isDisabled={isBusy}
        consent={
          <p className={styles.soft}>It is asked for on the page of {platform.oauth?.provider}, after this form.</p>
        }
      />
      {!isBusy && <Obstacles failure={failure} missing={missing} missingId={missingId} />}
      {isTested && <TestStatus isOn={isConnecting} />}
      <FormActions>
        <Button
          type="submit"
          variant="primary"
          isBusy={isBusy}
          disabled={!isReady}
          aria-describedby={missing && missingId}
        >
          {asksConsent ? `Continue to ${platform.oauth?.provider}` : 'Connect'}
        </Button>
        {props.cancel}
      </FormActions>
    </form>
  )
}

function SampleSwitch({
  platform,
  isOn,
  onChange,
}: {
  platform: PlatformDetails
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  if (!platform.has_simulator) return null
  return (
    <div className={styles.simulator}>
      <Switch
        label="Try it with sample data"
        hint={`Trellis simulates ${platform.name}. No account is needed and nothing leaves this server.`}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  )
}

function Obstacles({
  failure,
  missing,
  missingId,
}: {
  failure: Error | null
  missing: string | undefined
  missingId: string
}) {
  return (
    <>
      {failure && (
        <Banner tone="danger" title="It could not be saved">
          {failure.message}
        </Banner>
      )}
      {missing && (
        <p id={missingId} className={styles.soft}>
          {missing}
        </p>
      )}
    </>
  )
}

const listUnnamed = (naming: Naming) => (isNamed(naming) ? [] : ['Name'])

function TestStatus({ isOn }: { isOn: boolean }) {
  return (
    <p role="status" className={styles.soft}>
      {isOn ? 'Testing the connection…' : ''}
    </p>
  )
}
