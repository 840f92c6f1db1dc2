import type { IntegrationDescription } from '@trellis/contract/integrations/integrations.schemas'
import { Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Markdown } from '../../../ui/data/Markdown.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Badge, StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { Tabs } from '../../../ui/layout/Tabs.tsx'
import { useDatabases } from '../../explorer/explorer.queries.ts'
import { describeState } from '../integration-words.ts'
import styles from '../integrations.module.css'
import { useDescription } from '../../../connecting/connecting.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { PlatformIcon } from '../../../connecting/PlatformIcon.tsx'
import { withoutTitle } from '../setup/DocsPanel.tsx'
import { useIntegrationsPlace } from '../use-integrations.ts'
import { DeleteIntegrationDialog } from './DeleteIntegrationDialog.tsx'
import { Overview } from './Overview.tsx'

const SampleTab = lazy(() => import('./SampleTab.tsx'))

export function Component() {
  const { address, paths } = useIntegrationsPlace()
  const { integration: code = '' } = useParams()
  const description = useDescription(address, code)
  return (
    <Page>
      <Loaded
        query={description}
        subject="The connection"
        skeletonHeights={[36, 32, 160, 120]}
        notFoundLink={<ButtonLink to={paths.list}>See all connections</ButtonLink>}
      >
        {(about) => <Description about={about} />}
      </Loaded>
    </Page>
  )
}

function Description({ about }: { about: IntegrationDescription }) {
  const { canWrite } = useIntegrationsPlace()
  const [params, setParams] = useSearchParams()
  const canSample = canWrite && about.kinds.includes('Extraction')
  const tabs = [
    { value: 'overview', label: 'Overview', content: <Overview about={about} /> },
    ...(canSample
      ? [
          {
            value: 'sample',
            label: 'Sample',
            content: (
              <Suspense fallback={<Skeleton height={240} />}>
                <SampleTab about={about} />
              </Suspense>
            ),
          },
        ]
      : []),
    {
      value: 'documentation',
      label: 'Documentation',
      content: (
        <Card>
          <Markdown text={withoutTitle(about.documentation)} isFlowing />
        </Card>
      ),
    },
  ]
  const requestedTab = params.get('tab') ?? 'overview'
  const value = tabs.some((tab) => tab.value === requestedTab) ? requestedTab : 'overview'
  return (
    <>
      <Heading about={about} />
      <Tabs
        label="About the connection"
        tabs={tabs}
        value={value}
        onChange={(tab) => setParams(tab === 'overview' ? {} : { tab }, { replace: true })}
      />
    </>
  )
}

function Heading({ about }: { about: IntegrationDescription }) {
  const { address, paths, canWrite } = useIntegrationsPlace()
  const { data: databases } = useDatabases(address)
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const code = about.integration_trellis_code
  const { text, tone } = describeState(about)
  const isDatabase = databases?.some((database) => database.integration_trellis_code === code) ?? false
  return (
    <>
      <PageHeader
        title={
          <span className={styles.titled}>
            <PlatformIcon icon={about.icon} />
            {about.name}
          </span>
        }
        subtitle={
          <span className={styles.namedLine}>
            <StatusDot tone={tone} isBusy={about.state === 'VALIDATING'}>
              {text}
            </StatusDot>
            <span>{about.platform_name}</span>
            {about.is_managed && <Badge>Managed by Trellis</Badge>}
            {about.is_simulated && <Badge tone="info">Sample data</Badge>}
          </span>
        }
        actions={
          about.is_managed ? (
            <ButtonLink variant="primary" to={paths.explorer(code)}>
              Open in the explorer
            </ButtonLink>
          ) : (
            canWrite && (
              <>
                {isDatabase && <ButtonLink to={paths.explorer(code)}>Open in the explorer</ButtonLink>}
                <ButtonLink icon={<Pencil aria-hidden />} to={paths.update(code)}>
                  Change settings
                </ButtonLink>
                <Button icon={<Trash2 aria-hidden />} onClick={() => setDeleting(true)}>
                  Delete
                </Button>
              </>
            )
          )
        }
      />
      {isDeleting && (
        <DeleteIntegrationDialog
          about={about}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(paths.list, { replace: true })}
        />
      )}
    </>
  )
}
