import type { Integration } from '@trellis/contract/integrations/integrations.schemas'
import { useLink, usePlatform } from '../../../connecting/connecting.queries.ts'
import { goToConsent } from '../../../connecting/consent.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { PanelTitle } from './PanelTitle.tsx'
import styles from './start.module.css'
import { useConsentReturn } from './use-consent-return.ts'

interface ConsentProps {
  dataflow: string
  connection: Integration
  /** Why consent was not given; null before it was requested. */
  refusal: string | null
  onClose: () => void
}

/** The platform requires consent before it can be read. */
export function ConsentStep({ dataflow, connection, refusal, onClose }: ConsentProps) {
  const { address } = useDataflowsScope()
  const platform = usePlatform(address, connection.platform_trellis_code)
  const link = useLink()
  const returnFromConsent = useConsentReturn(dataflow)
  const code = connection.integration_trellis_code
  const provider = platform.data?.oauth?.provider ?? connection.platform_name
  const back = returnFromConsent(code)
  const ask = () =>
    link.mutate(
      { params: address, body: { integration_trellis_code: code } },
      { onSuccess: ({ url }) => goToConsent(url, back) },
    )
  return (
    <SidePanel
      isWide
      isTitleFocused
      title={<PanelTitle icon={connection.icon}>Connect {connection.name}</PanelTitle>}
      onClose={onClose}
      footer={
        <>
          <ButtonLink to={back.connection}>Open its settings</ButtonLink>
          <Button variant="primary" isBusy={link.isPending} onClick={ask}>
            Give consent at {provider}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {refusal !== null && (
          <Banner tone="danger" title="Nothing was connected">
            {refusal}
          </Banner>
        )}
        {link.error && (
          <Banner tone="danger" title="The consent page could not be opened">
            {link.error.message}
          </Banner>
        )}
        <p>
          {connection.name} is saved, but {provider} has not agreed yet that Trellis may read from it. The next page is
          theirs; it leads back here.
        </p>
      </div>
    </SidePanel>
  )
}
