import type { TableLine } from '@trellis/contract/explorer/explorer.schemas'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Database as DatabaseIcon, Upload } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { formatBytes, formatEstimate } from '../../../ui/data/amounts.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { schemasQuery, tablesQuery, useFirstSchema } from '../explorer.queries.ts'
import styles from '../explorer.module.css'
import { KindIcon } from '../KindIcon.tsx'
import { useExplorer } from '../use-explorer.ts'

const MAX_SCHEMAS = 4
const MAX_TABLES = 6

export function FirstTables({ database }: { database: string }) {
  const { params, paths } = useExplorer()
  const schemas = useQuery(schemasQuery(params, database))
  const requestedSchemas = schemas.data?.slice(0, MAX_SCHEMAS) ?? []
  const lists = useQueries({
    queries: requestedSchemas.map((schema) =>
      tablesQuery(params, { database, schema, after: undefined, limit: MAX_TABLES }),
    ),
  })
  if (schemas.isPending || lists.some((list) => list.isPending)) {
    return (
      <Loading label="Loading tables">
        <Skeleton height={220} />
      </Loading>
    )
  }
  const filled = requestedSchemas.flatMap((schema, index) => {
    const { items = [], next_after: next = null } = lists[index]?.data ?? {}
    return items.length === 0 ? [] : [{ schema, items, hasMore: next !== null }]
  })
  if (filled.length === 0) return <FirstFile database={database} />
  return (
    <>
      {filled.map(({ schema, items, hasMore }) => (
        <Card
          key={schema}
          isFlush
          title={`Tables in ${schema}`}
          actions={
            <Link to={paths.schema({ database, schema }, 'tables')} className={styles.soft}>
              {hasMore ? 'All tables' : 'Open the schema'}
            </Link>
          }
        >
          <ul className={styles.list}>
            {items.map((table) => (
              <Line key={table.name} table={table} to={paths.table({ database, schema, table: table.name })} />
            ))}
          </ul>
        </Card>
      ))}
    </>
  )
}

function Line({ table, to }: { table: TableLine; to: string }) {
  return (
    <li>
      <Link to={to} className={styles.listLine}>
        <span className={styles.named}>
          <KindIcon kind={table.kind} />
          <span>
            {table.name} {table.description && <span className={styles.soft}>{table.description}</span>}
          </span>
        </span>
        <span className={styles.amount}>
          {table.rows_estimate === null ? '' : `${formatEstimate(table.rows_estimate)} rows · `}
          {formatBytes(table.size_bytes)}
        </span>
      </Link>
    </li>
  )
}

export function FirstFile({ database }: { database: string | undefined }) {
  const { params, canChange, paths } = useExplorer()
  const schema = useFirstSchema(params, database)
  const canUpload = canChange('uploads:write', database) && database !== undefined && schema !== undefined
  return (
    <EmptyState
      icon={<DatabaseIcon />}
      title="No tables yet"
      subtitle={
        canUpload
          ? 'Bring in a CSV, Excel, JSON or Parquet file: it becomes a table you can look into, describe and share.'
          : 'Tables appear here as soon as somebody brings data in.'
      }
      action={
        canUpload && (
          <ButtonLink
            variant="primary"
            icon={<Upload aria-hidden />}
            to={paths.schema({ database, schema }, 'files/new')}
          >
            Upload a file
          </ButtonLink>
        )
      }
    />
  )
}
