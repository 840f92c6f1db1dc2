import type { TableLine } from '@trellis/contract/explorer/explorer.schemas'
import { SearchX, TableProperties, Tags } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { CompactSelect } from '../../../ui/forms/CompactSelect.tsx'
import { FilterRow } from '../../../ui/layout/FilterRow.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatBytes, formatEstimate } from '../../../ui/data/amounts.ts'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { MarkdownLine } from '../../../ui/data/Markdown.tsx'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { useLocalTableState } from '../../../ui/data/use-table-state.ts'
import { useUrlText } from '../../../ui/data/use-url-text.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { useOpenDialog } from '../dialogs/dialog-context.ts'
import type { SchemaAddress } from '../explorer-paths.ts'
import styles from '../explorer.module.css'
import { useTables } from '../explorer.queries.ts'
import { useSettled } from '../../../ui/data/use-settled.ts'
import { KindIcon } from '../KindIcon.tsx'
import { LabelDots } from '../labels/LabelMarks.tsx'
import { useLabels } from '../labels.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useNodeMenus } from '../table-menu.tsx'
import { useExplorer, useSchemaAddress } from '../use-explorer.ts'

export function Component() {
  const { params, can } = useExplorer()
  const tableAddress = useSchemaAddress()
  const { params: address, put } = useAddress()
  const [words, setWords] = useUrlText('q')
  const labels = useLabels(params)
  const open = useOpenDialog()
  const label = address.get('label') ?? ''
  const filter = { search: useSettled(words), labelId: /^\d+$/.test(label) ? Number(label) : null }
  const tables = useTables(params, tableAddress, filter)
  return (
    <>
      <FilterRow>
        <SearchField label="Search tables" value={words} onChange={(event) => setWords(event.target.value)} />
        <CompactSelect
          label="Label"
          value={label}
          onChange={(value) => put({ label: value || null })}
          options={[
            { value: '', label: 'All labels' },
            ...(labels.data ?? []).map((label) => ({
              value: String(label.id),
              label: `${label.name} (${label.table_count})`,
            })),
          ]}
        />
        {can('explorer:write') && (
          <Button icon={<Tags aria-hidden />} onClick={() => open({ kind: 'labels' })}>
            Manage labels
          </Button>
        )}
      </FilterRow>
      <Loaded query={tables} subject="The list of tables">
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <None isFiltered={words !== '' || label !== ''} onClear={() => put({ q: null, label: null })} />
            ) : (
              <List address={tableAddress} rows={rows} />
            )}
            {tables.hasNextPage && (
              <div className={styles.more}>
                <Button isBusy={tables.isFetchingNextPage} onClick={() => void tables.fetchNextPage()}>
                  Load more
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function None({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return (
      <EmptyState
        icon={<TableProperties />}
        title="No tables yet"
        subtitle="Upload a file or make an empty table: it will be listed here."
      />
    )
  return (
    <EmptyState
      icon={<SearchX />}
      title="Nothing found"
      subtitle="No table of this schema matches the search and the label."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  )
}

function List({ address, rows }: { address: SchemaAddress; rows: readonly TableLine[] }) {
  const { paths } = useExplorer()
  const { tableMenu } = useNodeMenus()
  const navigate = useNavigate()
  const state = useLocalTableState()
  const of = (table: TableLine) => ({ ...address, table: table.name })
  const columns: Column<TableLine>[] = [
    {
      key: 'name',
      title: 'Table',
      sortBy: (table) => table.name,
      cell: (table) => (
        <span className={styles.named}>
          <KindIcon kind={table.kind} />
          <Link to={paths.table(of(table))} onClick={(event) => event.stopPropagation()}>
            {table.name}
          </Link>
          <LabelDots labels={table.labels} />
        </span>
      ),
    },
    {
      key: 'description',
      title: 'Description',
      isSecondary: true,
      cell: (table) => (
        <span className={styles.soft}>{table.description && <MarkdownLine text={table.description} />}</span>
      ),
    },
    {
      key: 'rows',
      title: 'Rows',
      width: 124,
      isNumber: true,
      sortBy: (table) => table.rows_estimate,
      cell: (table) => formatEstimate(table.rows_estimate),
    },
    {
      key: 'size',
      title: 'Size',
      width: 96,
      isNumber: true,
      isSecondary: true,
      sortBy: (table) => table.size_bytes,
      cell: (table) => formatBytes(table.size_bytes),
    },
    {
      key: 'actions',
      title: '',
      width: 56,
      cell: (table) => <RowActions label={`Actions for ${table.name}`} groups={tableMenu(of(table), table.kind)} />,
    },
  ]
  return (
    <DataTable
      label="Tables"
      rows={rows}
      columns={columns}
      rowKey={(table) => table.name}
      state={state}
      onOpen={(table) => void navigate(paths.table(of(table)))}
    />
  )
}
