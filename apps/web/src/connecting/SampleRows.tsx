import type { SourcePreview } from '@trellis/contract/integrations/integrations.schemas'
import { shortCount } from '../ui/data/amounts.ts'
import { Banner } from '../ui/feedback/Banner.tsx'
import { Badge } from '../ui/feedback/Status.tsx'
import SampleGrid from '../ui/grid/SampleGrid.tsx'
import { Card } from '../ui/layout/Card.tsx'
import styles from './connecting.module.css'

export default function SampleRows({ preview, label = 'Sample rows' }: { preview: SourcePreview; label?: string }) {
  const { columns, rows, is_cut, warnings } = preview
  return (
    <>
      {warnings.length > 0 && (
        <Banner tone="warning" title="Some values were changed while reading">
          {warnings.join(' ')}
        </Banner>
      )}
      <SampleGrid label={label} columns={columns} rows={rows} isCut={is_cut} empty="The source has no rows for this." />
      {rows.length > 0 && <Findings preview={preview} />}
    </>
  )
}

function Findings({ preview }: { preview: SourcePreview }) {
  const { columns, rows, candidate_keys, candidate_cursors, declared_keys } = preview
  const keys = declared_keys.length > 0 ? [declared_keys] : candidate_keys
  return (
    <Card isFlush title="Columns" subtitle={formatFindings({ keys, declared_keys, candidate_cursors })}>
      <div className={styles.wide} tabIndex={0} role="region" aria-label="Columns of the sample">
        <table className={styles.columnsTable} aria-label="Columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col">Empty</th>
              <th scope="col">Different</th>
              <th scope="col">Smallest</th>
              <th scope="col">Largest</th>
              <th scope="col">May serve as</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">{column.name}</th>
                <td>{column.type}</td>
                <td>{column.nulls === 0 ? '–' : `${Math.round((column.nulls / rows.length) * 100)} %`}</td>
                <td>{shortCount(column.distinct)}</td>
                <td className={styles.value}>{column.smallest ?? ''}</td>
                <td className={styles.value}>{column.largest ?? ''}</td>
                <td>
                  <span className={styles.namedLine}>
                    {declared_keys.includes(column.name) && <Badge tone="accent">Key of the platform</Badge>}
                    {column.can_be_key && !declared_keys.includes(column.name) && <Badge tone="success">Key</Badge>}
                    {column.can_be_cursor && <Badge tone="info">Cursor</Badge>}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

interface SampleFindings {
  keys: readonly (readonly string[])[]
  declared_keys: readonly string[]
  candidate_cursors: readonly string[]
}

function formatFindings({ keys, declared_keys, candidate_cursors }: SampleFindings): string {
  const best = keys[0]
  const key = best
    ? `${declared_keys.length > 0 ? 'The platform identifies records by' : 'The sampled rows are identified by'} ${best.join(' + ')}.`
    : 'No column identifies the sampled rows.'
  const cursors = candidate_cursors.slice(0, 3).join(', ')
  const cursor = cursors ? `New and changed rows can be followed by ${cursors}.` : 'No column shows what is new.'
  return `${key} ${cursor}`
}
