import type { SchemaSummary } from '@trellis/contract/explorer/explorer.schemas'
import { TableProperties, Upload } from 'lucide-react'
import { Link } from 'react-router'
import type * as z from 'zod/mini'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { formatBytes, formatEstimate, wholeNumber } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Stack } from '../../../ui/layout/Page.tsx'
import type { SchemaAddress } from '../explorer-paths.ts'
import styles from '../explorer.module.css'
import { useSchemaSummary, useUsage } from '../explorer.queries.ts'
import { loadText } from '../load-words.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useExplorer, useSchemaAddress } from '../use-explorer.ts'
import { UsageCard } from '../UsageCard.tsx'

type Summary = z.infer<typeof SchemaSummary>

export function Component() {
  const { params } = useExplorer()
  const address = useSchemaAddress()
  return (
    <Loaded query={useSchemaSummary(params, address)} subject="The schema">
      {(summary) =>
        summary.table_count + summary.view_count === 0 ? (
          <NoTables address={address} />
        ) : (
          <Full address={address} {...summary} />
        )
      }
    </Loaded>
  )
}

function NoTables({ address }: { address: SchemaAddress }) {
  const { paths, isOwn, canChange } = useExplorer()
  if (!isOwn(address.database)) return <EmptyState icon={<TableProperties />} title="No tables in this schema" />
  return (
    <EmptyState
      icon={<TableProperties />}
      title="No tables yet"
      subtitle="Upload a CSV, Excel, JSON or Parquet file and it becomes the first table of this schema."
      action={
        canChange('uploads:write', address.database) && (
          <ButtonLink icon={<Upload aria-hidden />} to={paths.schema(address, 'files/new')}>
            Upload a file
          </ButtonLink>
        )
      }
    />
  )
}

function Full({ address, ...summary }: Summary & { address: SchemaAddress }) {
  const { paths, isOwn } = useExplorer()
  const isOurs = isOwn(address.database)
  return (
    <Stack>
      <div className={styles.columns}>
        <Card title="Largest tables">
          <Largest address={address} largest={summary.largest} />
        </Card>
        <Card title="This schema">
          <dl className={styles.facts}>
            <dt>Tables</dt>
            <dd>{wholeNumber(summary.table_count)}</dd>
            <dt>Views</dt>
            <dd>{wholeNumber(summary.view_count)}</dd>
            <dt>Rows</dt>
            <dd>{formatEstimate(summary.rows_estimate)}</dd>
            <dt>Size</dt>
            <dd>{formatBytes(summary.size_bytes)}</dd>
            {isOurs && (
              <>
                <dt>Files</dt>
                <dd>
                  <Link to={paths.schema(address, 'files')}>{wholeNumber(summary.file_count)}</Link>
                </dd>
              </>
            )}
          </dl>
        </Card>
      </div>
      {isOurs && <LatestLoads address={address} loads={summary.latest_loads} />}
      {isOurs && <SchemaUsage address={address} />}
    </Stack>
  )
}

function SchemaUsage({ address }: { address: SchemaAddress }) {
  const { params } = useExplorer()
  return (
    <Loaded query={useUsage(params, address)} subject="What uses this schema">
      {({ used_by, uses }) => (
        <>
          <UsageCard
            title="Used by"
            subtitle="What reads, writes or points to tables of this schema."
            items={used_by}
          />
          <UsageCard title="Uses" subtitle="What the tables and views of this schema come from." items={uses} />
        </>
      )}
    </Loaded>
  )
}

function LatestLoads({ address, loads }: { address: SchemaAddress; loads: Summary['latest_loads'] }) {
  const { paths } = useExplorer()
  return (
    <Card isFlush title="Latest loads">
      {loads.length === 0 ? (
        <div className={styles.listLine}>
          <span className={styles.soft}>Nothing was loaded into this schema through Trellis yet.</span>
        </div>
      ) : (
        <ul className={styles.list}>
          {loads.map((load) => (
            <li key={load.load_id} className={styles.listLine}>
              <span>
                <Link to={paths.table({ ...address, table: load.table_name })}>{load.table_name}</Link>{' '}
                <span className={styles.soft}>
                  {loadText(load)} from {load.source}
                  {load.by !== null && ` by ${load.by}`}
                </span>
              </span>
              <span className={styles.amount}>
                <DateTime value={load.finished_at} format="recent" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Largest({ address, largest }: { address: SchemaAddress; largest: Summary['largest'] }) {
  const { paths } = useExplorer()
  const most = Math.max(1, ...largest.map((item) => item.size_bytes))
  return (
    <ul className={styles.bars}>
      {largest.map(({ name, size_bytes }) => (
        <li key={name}>
          <Link to={paths.table({ ...address, table: name })}>{name}</Link>
          <span aria-hidden className={styles.bar}>
            <i style={{ width: `${(size_bytes / most) * 100}%` }} />
          </span>
          <span className={styles.amount}>{formatBytes(size_bytes)}</span>
        </li>
      ))}
    </ul>
  )
}
