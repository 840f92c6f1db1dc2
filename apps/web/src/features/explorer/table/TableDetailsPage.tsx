import type { ForeignKey, TableDetails } from '@trellis/contract/explorer/explorer.schemas'
import { Link } from 'react-router'
import type * as z from 'zod/mini'
import { formatBytes, formatEstimate } from '../../../ui/data/amounts.ts'
import { CodeBlock } from '../../../ui/data/CodeBlock.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Stack } from '../../../ui/layout/Page.tsx'
import shared from '../explorer.module.css'
import { useTableDetails } from '../explorer.queries.ts'
import { loadText } from '../load-words.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { UsageCard } from '../UsageCard.tsx'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import { ColumnsTable } from './ColumnsTable.tsx'
import styles from './table.module.css'

export function Component() {
  const { params } = useExplorer()
  const details = useTableDetails(params, useTableAddress())
  return (
    <div className={styles.page}>
      <Loaded query={details} subject="The table">
        {(table) => <TableDetailsSections table={table} />}
      </Loaded>
    </div>
  )
}

function TableDetailsSections({ table }: { table: TableDetails }) {
  const { isOwn } = useExplorer()
  const { database } = useTableAddress()
  return (
    <Stack>
      <div className={shared.columns}>
        <Sizes table={table} />
        {isOwn(database) && <LastLoad table={table} />}
      </div>
      <Card isFlush title="Columns" subtitle={formatAnalyzedAt(table.analyzed_at)}>
        <ColumnsTable columns={table.columns} rows={table.rows_estimate} />
      </Card>
      {table.view_definition !== null && (
        <Card title="Definition">
          <CodeBlock code={table.view_definition.trim()} title="SQL" />
        </Card>
      )}
      {table.indexes.length > 0 && <Indexes indexes={table.indexes} />}
      {table.references.length + table.referenced_by.length > 0 && <Keys table={table} />}
      <UsageCard title="Used by" subtitle="What reads, writes or points to this table." items={table.dependents} />
      <UsageCard
        title="Uses"
        subtitle="What this table reads, points to or is written by."
        items={table.dependencies}
      />
    </Stack>
  )
}

function formatAnalyzedAt(analyzedAt: string | null): string {
  return analyzedAt === null
    ? 'The database has not looked at this table yet, so nothing is known about its values.'
    : 'Shares and counts are what the database found when it last looked at the table.'
}

function Sizes({ table }: { table: TableDetails }) {
  return (
    <Card title="Size">
      <dl className={shared.facts}>
        <dt>Rows</dt>
        <dd>{formatEstimate(table.rows_estimate)}</dd>
        <dt>Size with indexes</dt>
        <dd>{formatBytes(table.size_bytes)}</dd>
        <dt>Of that, indexes</dt>
        <dd>{formatBytes(table.index_bytes)}</dd>
        <dt>Primary key</dt>
        <dd>{table.primary_key.length === 0 ? 'None' : table.primary_key.join(', ')}</dd>
        <dt>Last analyzed</dt>
        <dd>{table.analyzed_at === null ? 'Never' : <DateTime value={table.analyzed_at} format="recent" />}</dd>
      </dl>
    </Card>
  )
}

function LastLoad({ table }: { table: TableDetails }) {
  const { paths } = useExplorer()
  const address = useTableAddress()
  const { last_load: load } = table
  return (
    <Card title="Last load">
      {load === null ? (
        <p className={shared.soft}>Nothing was loaded into this table through Trellis yet.</p>
      ) : (
        <dl className={shared.facts}>
          <dt>What</dt>
          <dd>{loadText(load)}</dd>
          <dt>From</dt>
          <dd>
            <Link to={paths.schema(address, 'files')}>{load.source}</Link>
          </dd>
          <dt>When</dt>
          <dd>
            <DateTime value={load.finished_at} format="recent" />
          </dd>
          {load.by !== null && (
            <>
              <dt>By</dt>
              <dd>{load.by}</dd>
            </>
          )}
        </dl>
      )}
    </Card>
  )
}

function Indexes({ indexes }: { indexes: TableDetails['indexes'] }) {
  return (
    <Card isFlush title="Indexes">
      <ul className={shared.list}>
        {indexes.map((index) => (
          <li key={index.name} className={shared.listLine}>
            <span>
              {index.name} {index.is_unique && <Badge>unique</Badge>}
              <p className={styles.note}>
                <code>{index.definition}</code>
              </p>
            </span>
            <span className={shared.amount}>{formatBytes(index.size_bytes)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Key = z.infer<typeof ForeignKey>

function Keys({ table }: { table: TableDetails }) {
  return (
    <Card isFlush title="Foreign keys">
      <ul className={shared.list}>
        {table.references.map((key) => (
          <KeyLine key={key.name} foreignKey={key} word="refers to" />
        ))}
        {table.referenced_by.map((key) => (
          <KeyLine key={`${key.schema_name}.${key.table_name}.${key.name}`} foreignKey={key} word="is referred to by" />
        ))}
      </ul>
    </Card>
  )
}

function KeyLine({ foreignKey: key, word }: { foreignKey: Key; word: string }) {
  const { paths } = useExplorer()
  const { database } = useTableAddress()
  return (
    <li className={shared.listLine}>
      <span>
        <code>{key.columns.join(', ')}</code> {word}{' '}
        <Link to={paths.table({ database, schema: key.schema_name, table: key.table_name }, 'details')}>
          {key.schema_name}.{key.table_name}
        </Link>{' '}
        (<code>{key.other_columns.join(', ')}</code>)
      </span>
      <span className={shared.soft}>{key.name}</span>
    </li>
  )
}
