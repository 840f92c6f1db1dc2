import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { FullNotice } from '../../../ui/feedback/FullNotice.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { Database } from 'lucide-react'
import styles from '../integrations.module.css'
import { useIntegration, usePlatform } from '../../../connecting/connecting.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { PlatformIcon } from '../../../connecting/PlatformIcon.tsx'
import type { DocsMode } from '../../../connecting/docs-for-mode.ts'
import { DocsPanel } from '../setup/DocsPanel.tsx'
import { useIntegrationsPlace } from '../use-integrations.ts'
import { WriteGate } from '../WriteGate.tsx'

const form = import('./UpdateForm.tsx')
const UpdateForm = lazy(() => form)

export function Component() {
  const { address, paths } = useIntegrationsPlace()
  const { integration: code = '' } = useParams()
  const integration = useIntegration(address, code)
  const platform = usePlatform(address, integration.data?.platform_trellis_code ?? '')
  const [mode, setMode] = useState<DocsMode>(null)
  if (integration.data?.is_managed) {
    return (
      <FullNotice
        icon={<Database />}
        title="This database is managed by Trellis"
        actions={<ButtonLink to={paths.explorer(code)}>Open it in the explorer</ButtonLink>}
      >
        It belongs to the workspace and always works; there is nothing to set up.
      </FullNotice>
    )
  }
  return (
    <WriteGate>
      <Page>
        <Loaded
          query={integration}
          subject="The connection"
          skeletonHeights={[36, 260, 200]}
          notFoundLink={<ButtonLink to={paths.list}>See all connections</ButtonLink>}
        >
          {(details) => (
            <>
              <PageHeader
                title={
                  <span className={styles.titled}>
                    <PlatformIcon icon={details.icon} />
                    {details.name}
                  </span>
                }
                subtitle={`Settings of the connection to ${details.platform_name}`}
                actions={<ButtonLink to={paths.description(code)}>About this connection</ButtonLink>}
              />
              <div className={styles.beside}>
                <Loaded query={platform} subject="The platform" skeletonHeights={[80, 80, 80]}>
                  {(platform) => (
                    <Suspense fallback={<Skeleton height={320} />}>
                      <UpdateForm key={code} details={details} platform={platform} onModeChange={setMode} />
                    </Suspense>
                  )}
                </Loaded>
                {platform.data && (
                  <DocsPanel name={platform.data.name} documentation={platform.data.documentation} mode={mode} />
                )}
              </div>
            </>
          )}
        </Loaded>
      </Page>
    </WriteGate>
  )
}
