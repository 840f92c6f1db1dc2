import type { DatabaseInformation } from '@trellis/contract/explorer/explorer.schemas'
import { FolderPlus, Settings } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import type * as z from 'zod/mini'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { formatBytes, formatCount, wholeNumber } from '../../../ui/data/amounts.ts'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { useUrlTableState } from '../../../ui/data/use-table-state.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { DATABASE_STATES } from '../database-state.ts'
import { useOpenDialog } from '../dialogs/dialog-context.ts'
import styles from '../explorer.module.css'
import { useDatabaseInformation, useDatabases } from '../explorer.queries.ts'
import { KindIcon } from '../KindIcon.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useNodeMenus } from '../table-menu.tsx'
import { useDatabaseCode, useExplorer } from '../use-explorer.ts'
import { DatabaseTabs } from './DatabaseTabs.tsx'

type Information = z.infer<typeof DatabaseInformation>
type Schema = Information['schemas'][number]

export function Component() {
  const { params, paths, canChange, can } = useExplorer()
  const database = useDatabaseCode()
  const listedDatabase = useDatabases(params).data?.find((candidate) => candidate.integration_trellis_code === database)
  const information = useDatabaseInformation(params, database)
  const open = useOpenDialog()
  const { data } = information
  return (
    <Page>
      <PageHeader
        title={data?.name ?? listedDatabase?.name ?? database}
        subtitle={data && <DatabaseStatus information={data} />}
        actions={
          canChange('explorer:manage', database) && (
            <Button
              variant="primary"
              icon={<FolderPlus aria-hidden />}
              onClick={() => open({ kind: 'create-schema', database })}
            >
              New schema
            </Button>
          )
        }
      />
      <DatabaseTabs database={database} />
      <Loaded
        query={information}
        subject="The database"
        errorAction={
          listedDatabase?.kind === 'integration' &&
          can('integrations:write') && (
            <ButtonLink icon={<Settings aria-hidden />} to={paths.connection(database)}>
              Change settings
            </ButtonLink>
          )
        }
      >
        {({ schemas }) => <Schemas database={database} schemas={schemas} />}
      </Loaded>
    </Page>
  )
}

function DatabaseStatus({ information }: { information: Information }) {
  const { state, size_bytes, server_version, kind } = information
  return (
    <>
      <StatusDot tone={DATABASE_STATES[state].tone}>{DATABASE_STATES[state].text}</StatusDot>
      {` · ${kind === 'managed' ? 'Database of this workspace' : 'Connected database'} · PostgreSQL ${server_version}`}
      {size_bytes !== null && ` · ${formatBytes(size_bytes)}`}
    </>
  )
}

function Schemas({ database, schemas }: { database: string; schemas: readonly Schema[] }) {
  const { paths, isOwn } = useExplorer()
  const { schemaMenu } = useNodeMenus()
  const navigate = useNavigate()
  const state = useUrlTableState()
  const toSchemaAddress = (schema: Schema) => ({ database, schema: schema.name })
  const columns: Column<Schema>[] = [
    {
      key: 'name',
      title: 'Schema',
      sortBy: (schema) => schema.name,
      cell: (schema) => (
        <span className={styles.named}>
          <KindIcon isSilent kind="schema" />
          <Link to={paths.schema(toSchemaAddress(schema))} onClick={(event) => event.stopPropagation()}>
            {schema.name}
          </Link>
        </span>
      ),
    },
    {
      key: 'description',
      title: 'Description',
      isSecondary: true,
      cell: (schema) => <span className={styles.soft}>{schema.description}</span>,
    },
    {
      key: 'tables',
      title: 'Tables',
      width: 96,
      isNumber: true,
      sortBy: (schema) => schema.table_count,
      cell: (schema) => wholeNumber(schema.table_count),
    },
    {
      key: 'views',
      title: 'Views',
      width: 96,
      isNumber: true,
      isSecondary: true,
      sortBy: (schema) => schema.view_count,
      cell: (schema) => wholeNumber(schema.view_count),
    },
    {
      key: 'actions',
      title: '',
      width: 56,
      cell: (schema) => (
        <RowActions label={`Actions for ${schema.name}`} groups={schemaMenu(toSchemaAddress(schema))} />
      ),
    },
  ]
  if (schemas.length === 0)
    return (
      <EmptyState
        icon={<FolderPlus />}
        title="No schemas"
        subtitle={
          isOwn(database)
            ? 'A schema is a folder for tables. Make one, then upload a file into it.'
            : 'This connection’s user has no USAGE on any schema. Ask the administrator of the database to grant it.'
        }
      />
    )
  return (
    <>
      <DataTable
        label="Schemas"
        rows={schemas}
        columns={columns}
        rowKey={(schema) => schema.name}
        state={state}
        searchText={(schema) => `${schema.name} ${schema.description ?? ''}`}
        onOpen={(schema) => void navigate(paths.schema(toSchemaAddress(schema)))}
      />
      <p className={styles.foot}>{formatCount(schemas.length, 'schema')}</p>
    </>
  )
}
