import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import type { DataModel, FileModel } from '@trellis/contract/uploads/uploads.schemas'
import { ArrowRight } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Badge, StatusDot } from '../../../ui/feedback/Status.tsx'
import { mapColumn, suggestTarget, findUnmappedTableColumns } from './mapping.ts'
import { doesFit } from './model-draft.ts'
import styles from './model.module.css'
import { formatSamples } from './sample-values.ts'
import { WideColumns } from './WideColumns.tsx'

interface GridProps {
  fileModel: FileModel
  model: DataModel
  onChange: (model: DataModel) => void
}

/** Wide tables: a select offers only unmapped columns. */
const MAX_TARGETS = 100

export function MappingGrid({ fileModel, model, onChange }: GridProps) {
  const table = fileModel.table_columns
  const free = findUnmappedTableColumns(model, table)
  const needed = free.filter((column) => !column.is_nullable)
  const offered = table.length > MAX_TARGETS ? free : table
  const put = (source: number, target: string | null) => onChange(mapColumn(model, { source, target }, table))
  return (
    <>
      <WideColumns columns={model.columns}>
        {(shown) => (
          <div className={styles.scroll} tabIndex={0} role="region" aria-label="Columns of the file">
            <table className={styles.grid}>
              <thead>
                <tr>
                  <th scope="col">In the file</th>
                  <th scope="col">
                    <span className="visually-hidden">goes to</span>
                  </th>
                  <th scope="col">Column of the table</th>
                  <th scope="col">Type</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ column }) => {
                  const { source } = column
                  if (source === null) return null
                  const header = column.header || `Column ${source + 1}`
                  const suggestion = column.is_skipped ? suggestTarget(header, free) : null
                  const target = table.find((candidate) => candidate.name === column.name)
                  const isOffered = column.is_skipped || target === undefined || offered.includes(target)
                  return (
                    <tr key={source} data-off={column.is_skipped}>
                      <th scope="row" className={styles.source}>
                        <span>{header}</span>
                        <span className={styles.samples}>{formatSamples(fileModel, source)}</span>
                      </th>
                      <td className={styles.arrow}>
                        <ArrowRight aria-hidden />
                      </td>
                      <td>
                        <select
                          className={styles.cell}
                          aria-label={`Column for ${header}`}
                          value={column.is_skipped ? '' : column.name}
                          onChange={(event) => put(source, event.target.value || null)}
                        >
                          <option value="">Leave it out</option>
                          {!isOffered && <option value={column.name}>{column.name}</option>}
                          {offered.map((item) => (
                            <option key={item.name} value={item.name}>
                              {item.name}
                            </option>
                          ))}
                        </select>
                        {suggestion && (
                          <Button size="sm" variant="ghost" onClick={() => put(source, suggestion)}>
                            Use {suggestion}?
                          </Button>
                        )}
                      </td>
                      <td>
                        {!column.is_skipped && (
                          <>
                            <span className={styles.type}>{target?.type ?? COLUMN_TYPES[column.type].label}</span>{' '}
                            {target?.is_primary_key && <Badge tone="accent">Key</Badge>}
                            {!doesFit(column, fileModel.columns) && (
                              <StatusDot tone="warning">Some values do not fit</StatusDot>
                            )}
                          </>
                        )}
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )}
      </WideColumns>
      {free.length > 0 && (
        <div className={styles.free}>
          <Banner
            tone={needed.length > 0 ? 'warning' : 'info'}
            title={
              needed.length > 0
                ? 'Columns that can’t be empty get nothing from this file'
                : 'Columns that get nothing from this file'
            }
          >
            {(needed.length > 0 ? needed : free).map((column) => column.name).join(', ')}
            {needed.length > 0
              ? '. Their default is used; without one every row is bad.'
              : ' take their default or stay empty.'}
          </Banner>
        </div>
      )}
    </>
  )
}
