import type { Integration } from '@trellis/contract/integrations/integrations.schemas'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { useUrlTableState } from '../../../ui/data/use-table-state.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Badge, StatusDot } from '../../../ui/feedback/Status.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { describeKinds, describeState, findTrouble } from '../integration-words.ts'
import styles from '../integrations.module.css'
import { useIntegrations } from '../../../connecting/connecting.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { PlatformIcon } from '../../../connecting/PlatformIcon.tsx'
import { useIntegrationsPlace, type IntegrationPaths } from '../use-integrations.ts'
import { ConnectPicture } from './ConnectPicture.tsx'

export function Component() {
  const { address, paths, canWrite } = useIntegrationsPlace()
  const integrations = useIntegrations(address)
  return (
    <Page>
      <PageHeader
        title="Integrations"
        subtitle="The systems this workspace is connected to: where data comes from and where it goes."
        actions={
          canWrite && (
            <ButtonLink variant="primary" icon={<Plus aria-hidden />} to={paths.create}>
              Connect
            </ButtonLink>
          )
        }
      />
      <Loaded query={integrations} subject="The list of connections">
        {(all) => <Connections all={all} paths={paths} canWrite={canWrite} />}
      </Loaded>
    </Page>
  )
}

interface ConnectionsProps {
  all: readonly Integration[]
  paths: IntegrationPaths
  canWrite: boolean
}

function Connections({ all, paths, canWrite }: ConnectionsProps) {
  const hasOwn = all.some((item) => !item.is_managed)
  return (
    <div className={styles.stack}>
      {all.length > 0 && <Table all={all} paths={paths} />}
      {!hasOwn && (
        <EmptyState
          picture={<ConnectPicture />}
          title="Nothing connected yet"
          subtitle={
            canWrite
              ? 'Connect a database, an ad account or any web API. With sample data you can look around without an account anywhere.'
              : 'Editors and admins of this workspace can connect databases, ad accounts and web APIs.'
          }
          action={
            canWrite && (
              <>
                <ButtonLink to={paths.create}>Choose what to connect</ButtonLink>
                <ButtonLink to={paths.setup('sample_data')}>Try sample data</ButtonLink>
              </>
            )
          }
        />
      )}
    </div>
  )
}

function Table({ all, paths }: Pick<ConnectionsProps, 'all' | 'paths'>) {
  const state = useUrlTableState()
  const navigate = useNavigate()
  const columns = useMemo<Column<Integration>[]>(
    () => [
      { key: 'name', title: 'Name', sortBy: (row) => row.name, cell: (row) => <NameCell one={row} /> },
      {
        key: 'state',
        title: 'State',
        width: 150,
        sortBy: (row) => describeState(row).text,
        cell: (row) => <State one={row} />,
      },
      {
        key: 'use',
        title: 'Use',
        width: 170,
        isSecondary: true,
        sortBy: (row) => describeKinds(row.kinds),
        cell: (row) => describeKinds(row.kinds),
      },
      {
        key: 'checked',
        title: 'Checked',
        width: 130,
        isSecondary: true,
        sortBy: (row) => (row.validated_at ? new Date(row.validated_at) : null),
        cell: (row) => (row.validated_at ? <DateTime value={row.validated_at} format="recent" /> : '–'),
      },
    ],
    [],
  )
  return (
    <DataTable
      label="Connections"
      rows={all}
      columns={columns}
      rowKey={(row) => row.integration_trellis_code}
      searchText={(row) => `${row.name} ${row.platform_name} ${row.description} ${row.problem?.message ?? ''}`}
      state={state}
      onOpen={(row) => void navigate(paths.description(row.integration_trellis_code))}
    />
  )
}

function State({ one }: { one: Integration }) {
  const { text, tone } = describeState(one)
  return (
    <StatusDot tone={tone} isBusy={one.state === 'VALIDATING'}>
      {text}
    </StatusDot>
  )
}

function NameCell({ one }: { one: Integration }) {
  const trouble = findTrouble(one, new Date())
  return (
    <span className={styles.named}>
      <PlatformIcon icon={one.icon} />
      <span className={styles.namedText}>
        <span className={styles.namedLine}>
          <strong>{one.name}</strong>
          {one.is_managed && <Badge>Managed</Badge>}
          {one.is_simulated && <Badge tone="info">Sample data</Badge>}
        </span>
        <span className={trouble ? (one.state === 'ERROR' ? styles.trouble : styles.warning) : styles.soft}>
          {trouble ?? one.platform_name}
        </span>
      </span>
    </span>
  )
}
