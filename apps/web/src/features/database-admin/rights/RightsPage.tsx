import type { Rights } from '@trellis/contract/database-admin/database-admin.schemas'
import { Fragment, useState } from 'react'
import type * as z from 'zod/mini'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { ScanEye } from 'lucide-react'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { useRights } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { driftCount, describeRight, listVisibleRights, type RightsCell, type RightsLine } from './rights-view.ts'

export function Component() {
  return (
    <AdminFrame title="Rights" subtitle="Effective permissions of users and logins, and where they come from.">
      {(place) => <Matrix place={place} />}
    </AdminFrame>
  )
}

function Matrix({ place }: { place: AdminScope }) {
  const rights = useRights(place)
  return (
    <Loaded query={rights} what="The rights">
      {(data) =>
        data.lines.length === 0 ? (
          <EmptyState
            icon={<ScanEye />}
            title="Nobody has rights of their own yet"
            subtitle="Add a user or an external profile, and what they can do is shown here schema by schema."
          />
        ) : (
          <RightsTable rights={data} />
        )
      }
    </Loaded>
  )
}

interface SelectedCell {
  line: RightsLine
  cell: RightsCell
}

function RightsTable({ rights }: { rights: z.infer<typeof Rights> }) {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<SelectedCell | null>(null)
  const drifted = driftCount(rights.lines)
  const lines = rights.lines.filter((line) => line.name.toLowerCase().includes(words.trim().toLowerCase()))
  return (
    <div className={styles.stack}>
      {drifted > 0 && (
        <Banner tone="warning" title="The database is out of sync with what was set here">
          {drifted === 1 ? '1 cell is' : `${drifted} cells are`} out of sync. Somebody changed rights in SQL; saving the
          role or the profile again restores them.
        </Banner>
      )}
      <div className={styles.search}>
        <SearchField label="Search users and logins" value={words} onChange={(event) => setWords(event.target.value)} />
      </div>
      <Card isFlush>
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Rights by schema">
          <table className={styles.matrix}>
            <thead>
              <tr>
                <th scope="col">Who</th>
                {rights.schemas.map((schema) => (
                  <th key={schema} scope="col">
                    {schema}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.profile_trellis_code}>
                  <th scope="row">
                    {line.name} {line.kind === 'external' && <Badge>External</Badge>}
                  </th>
                  {rights.schemas.map((schema) => {
                    const cell = line.cells.find((candidate) => candidate.schema_name === schema)
                    return <td key={schema}>{cell && <CellButton line={line} cell={cell} onOpen={setChosen} />}</td>
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      {chosen && <Paths chosen={chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}

function CellButton({ line, cell, onOpen }: SelectedCell & { onOpen: (chosen: SelectedCell) => void }) {
  const shownVisibleRights = listVisibleRights(cell)
  const paths = cell.rights.map((other) => `${describeRight(other.right)}: ${other.through.join(' → ')}`).join('\n')
  return (
    <button type="button" className={styles.cellButton} title={paths} onClick={() => onOpen({ line, cell })}>
      <span className="visually-hidden">{`${line.name} on ${cell.schema_name}: `}</span>
      {shownVisibleRights.length === 0 && (
        <>
          <span className={styles.note} aria-hidden>
            –
          </span>
          <span className="visually-hidden">nothing</span>
        </>
      )}
      {shownVisibleRights.map((right, at) => (
        <Fragment key={right}>
          {at > 0 && <span className="visually-hidden">, </span>}
          <Badge tone={right === 'read' || right === 'connect' ? 'neutral' : 'accent'}>{describeRight(right)}</Badge>
        </Fragment>
      ))}
      {cell.has_drifted && (
        <>
          <span className="visually-hidden">, </span>
          <Badge tone="warning">Out of sync</Badge>
        </>
      )}
    </button>
  )
}

function Paths({ chosen: { line, cell }, onClose }: { chosen: SelectedCell; onClose: () => void }) {
  return (
    <SidePanel title={`${line.name} on ${cell.schema_name}`} onClose={onClose}>
      {cell.rights.length === 0 ? (
        <p>No rights in this schema.</p>
      ) : (
        <ul className={styles.path}>
          {cell.rights.map((other) => (
            <li key={other.right}>
              <strong>{describeRight(other.right)}</strong>
              <br />
              <span className={styles.note}>through {other.through.join(' → ')}</span>
            </li>
          ))}
        </ul>
      )}
      {cell.has_drifted && (
        <Banner tone="warning">
          These rights are out of sync with what was set here. Save the role or the profile again to restore them.
        </Banner>
      )}
    </SidePanel>
  )
}
