import type { WorkspaceUtilization } from '@trellis/contract/utilization/utilization.endpoints'
import { formatBytes, formatCount, wholeNumber } from '../../ui/data/amounts.ts'
import { type Column, DataTable } from '../../ui/data/DataTable.tsx'
import { useLocalTableState } from '../../ui/data/use-table-state.ts'
import { Card } from '../../ui/layout/Card.tsx'
import styles from './utilization.module.css'

type TableSize = WorkspaceUtilization['tables'][number]

const tableTitle = ({ schema_name, table_name }: TableSize) =>
  table_name === null ? `${schema_name}: all smaller tables` : `${schema_name}.${table_name}`
const getGrowth = ({ bytes, bytes_before }: TableSize) => (bytes_before === null ? null : bytes - bytes_before)

function formatGrowth(change: number | null): string {
  if (change === null) return 'New'
  return change === 0 ? '–' : `${change > 0 ? '+' : '−'}${formatBytes(Math.abs(change))}`
}

const COLUMNS: readonly Column<TableSize>[] = [
  { key: 'table', title: 'Table', cell: tableTitle, sortBy: tableTitle },
  { key: 'size', title: 'Size', cell: ({ bytes }) => formatBytes(bytes), sortBy: ({ bytes }) => bytes, isNumber: true },
  {
    key: 'growth',
    title: 'In this period',
    cell: (row) => formatGrowth(getGrowth(row)),
    sortBy: (row) => getGrowth(row) ?? row.bytes,
    isNumber: true,
  },
]

export function TablesCard({ tables }: { tables: readonly TableSize[] }) {
  const state = useLocalTableState()
  if (tables.length === 0) return null
  return (
    <Card isFlush title="Storage by table">
      <DataTable
        label="Storage by table"
        rows={tables}
        columns={COLUMNS}
        rowKey={tableTitle}
        state={state}
        searchText={tableTitle}
        isInCard
      />
    </Card>
  )
}

interface Bar {
  name: string
  value: number
  text: string
}

function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const highest = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul className={styles.bars} aria-label={label}>
      {bars.map(({ name, value, text }, index) => (
        <li key={`${name} ${index}`}>
          <span>{name}</span>
          <span>{text}</span>
          <div className={styles.track}>
            <span style={{ width: `${(value / highest) * 100}%` }} />
          </div>
        </li>
      ))}
    </ul>
  )
}

export function SchemasCard({ schemas }: { schemas: WorkspaceUtilization['schemas'] }) {
  if (schemas.length === 0) return null
  const bars = schemas.map(({ schema_name, bytes }) => ({ name: schema_name, value: bytes, text: formatBytes(bytes) }))
  return (
    <Card title="Storage by schema">
      <Bars label="Storage by schema" bars={bars} />
    </Card>
  )
}

export function PeopleCard({ people }: { people: WorkspaceUtilization['people'] }) {
  if (people.length === 0) return null
  const bars = people.map(({ name, queries, credits_spent }) => ({
    name,
    value: queries + credits_spent,
    text: `${formatCount(queries, 'query', 'queries')}, ${formatCount(credits_spent, 'credit')}`,
  }))
  return (
    <Card title="By person">
      <Bars label="Use by person" bars={bars} />
    </Card>
  )
}

export function ProjectsCard({ projects }: { projects: WorkspaceUtilization['projects'] }) {
  if (projects.length === 0) return null
  const bars = projects.map(({ name, credits_spent }) => ({
    name,
    value: credits_spent,
    text: wholeNumber(credits_spent),
  }))
  return (
    <Card title="Credits by AI project">
      <Bars label="Credits by AI project" bars={bars} />
    </Card>
  )
}
