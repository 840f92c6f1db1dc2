import type { Integration, PlatformDetails } from '@trellis/contract/integrations/integrations.schemas'
import { Button } from '../../ui/actions/Button.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { describeExpiry } from './integration-words.ts'
import styles from './integrations.module.css'
import { useLink } from '../../connecting/connecting.queries.ts'
import { goToConsent } from '../../connecting/consent.ts'
import { useIntegrationsPlace } from './use-integrations.ts'

export function ConsentCard({
  integration,
  platform,
  isUnsaved = false,
}: {
  integration: Pick<Integration, 'oauth' | 'integration_trellis_code'>
  platform: Pick<PlatformDetails, 'oauth' | 'name'>
  isUnsaved?: boolean
}) {
  const { address, canWrite, paths } = useIntegrationsPlace()
  const link = useLink()
  const { oauth } = integration
  const provider = platform.oauth?.provider ?? platform.name
  if (!oauth) return null
  const expiry = describeExpiry(oauth.expires_at, new Date())
  const ask = () =>
    link.mutate(
      { params: address, body: { integration_trellis_code: integration.integration_trellis_code } },
      {
        onSuccess: ({ url }) =>
          goToConsent(url, { connection: paths.description(integration.integration_trellis_code) }),
      },
    )
  return (
    <div className={styles.consent}>
      <div className={styles.consentHead}>
        {oauth.is_linked ? (
          <StatusDot tone={expiry ? 'warning' : 'success'}>
            Consent given{oauth.linked_as && ` by ${oauth.linked_as}`}
          </StatusDot>
        ) : (
          <StatusDot tone="warning">Consent at {provider} is missing</StatusDot>
        )}
        {canWrite && (
          <Button
            size="sm"
            variant={oauth.is_linked ? 'secondary' : 'primary'}
            isBusy={link.isPending}
            disabled={isUnsaved}
            onClick={ask}
          >
            {oauth.is_linked ? 'Give consent again' : `Give consent at ${provider}`}
          </Button>
        )}
      </div>
      <p className={styles.soft}>
        {isUnsaved ? 'Save your changes first; consent then uses them.' : null}
        {!isUnsaved && oauth.linked_at && (
          <>
            Since <DateTime value={oauth.linked_at} />
            {oauth.expires_at && (
              <>
                , until <DateTime value={oauth.expires_at} />
              </>
            )}
          </>
        )}
      </p>
      {expiry && <Banner tone="warning">{expiry}</Banner>}
      {link.isError && <Banner tone="danger">{link.error.message}</Banner>}
    </div>
  )
}
