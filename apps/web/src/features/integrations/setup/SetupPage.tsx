import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import styles from '../integrations.module.css'
import { usePlatform, useSetupForma } from '../../../connecting/connecting.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { PlatformIcon } from '../../../connecting/PlatformIcon.tsx'
import { useIntegrationsPlace } from '../use-integrations.ts'
import { WriteGate } from '../WriteGate.tsx'
import type { DocsMode } from '../../../connecting/docs-for-mode.ts'
import { DocsPanel } from './DocsPanel.tsx'

/** Prefetched beside the data. */
const form = import('../../../connecting/ConnectForm.tsx')
const ConnectForm = lazy(() => form)

export function Component() {
  const { address, paths } = useIntegrationsPlace()
  const { platform: code = '' } = useParams()
  const navigate = useNavigate()
  const platform = usePlatform(address, code)
  const setup = useSetupForma(address, code)
  const [mode, setMode] = useState<DocsMode>(null)
  return (
    <WriteGate>
      <Page>
        <Loaded
          query={platform}
          subject="The platform"
          skeletonHeights={[36, 260, 200]}
          notFoundLink={<ButtonLink to={paths.create}>See the catalogue</ButtonLink>}
        >
          {(platform) => (
            <>
              <PageHeader
                title={
                  <span className={styles.titled}>
                    <PlatformIcon icon={platform.icon} />
                    Connect {platform.name}
                  </span>
                }
                subtitle={platform.summary}
              />
              <div className={styles.beside}>
                <Loaded query={setup} subject="The form" skeletonHeights={[80, 80, 80]}>
                  {({ forma }) => (
                    <Suspense fallback={<Skeleton height={320} />}>
                      <Card>
                        <ConnectForm
                          key={code}
                          address={address}
                          platform={platform}
                          forma={forma}
                          onModeChange={setMode}
                          returnFromConsent={(createdCode) => ({ connection: paths.description(createdCode) })}
                          onConnected={({ integration_trellis_code: createdCode }) =>
                            void navigate(paths.update(createdCode), { replace: true, state: { isNew: true } })
                          }
                          cancel={<ButtonLink to={paths.create}>Cancel</ButtonLink>}
                        />
                      </Card>
                    </Suspense>
                  )}
                </Loaded>
                <DocsPanel name={platform.name} documentation={platform.documentation} mode={mode} />
              </div>
            </>
          )}
        </Loaded>
      </Page>
    </WriteGate>
  )
}
