import { toSampleForma } from '@trellis/contract/formas/sample-data'
import type { IntegrationDetails, PlatformDetails } from '@trellis/contract/integrations/integrations.schemas'
import { useEffect, useMemo, useRef, useState } from 'react'
import { ApiError, getErrorField } from '../../../api/api-error.ts'
import { toSubmittedValues } from '../../../formas/forma-start.ts'
import { canSend, useForma } from '../../../formas/use-forma.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { FormActions } from '../../../ui/forms/Form.tsx'
import { isSame } from '../../../ui/forms/form-values.ts'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConsentCard } from '../ConsentCard.tsx'
import styles from '../integrations.module.css'
import { useRefreshIntegration, useUpdateIntegration } from '../../../connecting/connecting.queries.ts'
import { manifestRule } from '../../../connecting/rest-builder/manifest-rule.ts'
import { type DocsMode, getDocsMode } from '../../../connecting/docs-for-mode.ts'
import { IntegrationForma } from '../../../connecting/IntegrationForma.tsx'
import { NameFields, isNamed, type Naming } from '../../../connecting/NameFields.tsx'
import { useIntegrationsPlace } from '../use-integrations.ts'
import { ConflictBanner } from './ConflictBanner.tsx'
import { showElement, useRefusedElement } from '../../../connecting/show-element.ts'
import { ValidationNow } from './ValidationNow.tsx'

const toNaming = ({ name, description }: IntegrationDetails): Naming => ({ name, description })

/** Failed tests and edit conflicts keep what was typed. */
export default function UpdateForm({
  details,
  platform,
  onModeChange,
}: {
  details: IntegrationDetails
  platform: PlatformDetails
  onModeChange: (mode: DocsMode) => void
}) {
  const { address, paths } = useIntegrationsPlace()
  const code = details.integration_trellis_code
  const [base, setBase] = useState(details)
  const [naming, setNaming] = useState(() => toNaming(details))
  const [hasConflict, setConflict] = useState(false)
  const custom = useMemo(() => manifestRule(base.forma), [base.forma])
  const requestedForma = useMemo(
    () => (details.is_simulated ? toSampleForma(base.forma) : base.forma),
    [base.forma, details.is_simulated],
  )
  const form = useForma(requestedForma, { kept: base.values, secretsSet: base.secrets_set, custom })
  const mode = getDocsMode(base.forma, form.values, details.is_simulated)
  useEffect(() => onModeChange(mode), [mode, onModeChange])
  const save = useUpdateIntegration()
  const refresh = useRefreshIntegration()
  const isDirty = form.isDirty || !isSame(naming, toNaming(base))
  const isReady = isNamed(naming) && canSend({ ...form, isDirty }, { isBusy: save.isPending })
  const isOutdated = details.version > base.version
  const { refused, setRefused } = useRefusedElement(save.isPending)

  const take = (next: IntegrationDetails) => {
    setBase(next)
    setNaming(toNaming(next))
    setConflict(false)
    form.reset(next.values)
  }
  const { current: latest } = useRef({ take, isDirty })
  useEffect(() => {
    Object.assign(latest, { take, isDirty })
  })
  useEffect(() => {
    if (isOutdated && !latest.isDirty) latest.take(details)
  }, [details, isOutdated, latest])

  const refuse = (field: string, message: string) => {
    setRefused(field)
    // Applies to all stored secrets: they are refused together.
    if (form.isKept(field)) {
      for (const name of base.secrets_set.filter((item) => form.isKept(item))) {
        form.replaceSecret(name, true)
        form.refuse(name, name === field ? message : 'Enter this again too.')
      }
    } else form.refuse(field, message)
  }
  const send = (version: number) => {
    setRefused(null)
    form.forgetRefusals()
    save.mutate(
      {
        params: { ...address, integration_trellis_code: code },
        body: { ...naming, values: toSubmittedValues(form.values), version },
      },
      {
        onSuccess: take,
        onError: (error) => {
          if (!(error instanceof ApiError)) return
          if (error.code === 'conflict') {
            setConflict(true)
            refresh()
            return
          }
          const field = getErrorField(error)?.replace(/^values\./, '')
          if (field?.includes('.')) refuse(field, error.detail)
        },
      },
    )
  }
  const isConflict = isDirty && isOutdated && !save.isPending
  const hasLink = base.forma.sections.some(({ elements }) => elements.some(({ type }) => type === 'oauth_link'))
  const consent = details.oauth ? (
    <ConsentCard integration={details} platform={platform} isUnsaved={isDirty} />
  ) : (
    <p className={styles.soft}>Save your changes first; consent then uses them.</p>
  )
  return (
    <div className={styles.stack}>
      <ValidationNow code={code} onProblem={form.refuseSaved} onShowField={showElement} />
      {!hasLink && base.oauth && <Card>{consent}</Card>}
      <Card>
        <form
          noValidate
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) send(base.version)
          }}
        >
          <NameFields naming={naming} example={platform.name} isDisabled={save.isPending} onChange={setNaming} />
          <IntegrationForma
            address={address}
            form={form}
            integration={code}
            isDisabled={save.isPending}
            consent={consent}
          />
          {(isConflict || hasConflict) && (
            <ConflictBanner
              mine={{ naming, values: form.values }}
              theirs={details}
              isBusy={save.isPending}
              onKeepMine={() => send(details.version)}
              onTakeTheirs={() => take(details)}
            />
          )}
          {save.isError && !hasConflict && !refused && (
            <Banner tone="danger" title="It could not be saved">
              {save.error.message}
            </Banner>
          )}
          <FormActions>
            <Button type="submit" variant="primary" isBusy={save.isPending} disabled={!isReady || isConflict}>
              Save and check
            </Button>
            <ButtonLink to={paths.description(code)}>{isDirty ? 'Cancel' : 'Back'}</ButtonLink>
          </FormActions>
        </form>
      </Card>
    </div>
  )
}
