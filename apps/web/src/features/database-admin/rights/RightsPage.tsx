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
import {
  countDriftedCells,
  getRightLabel,
  listDisplayedRights,
  type RightsCell,
  type RightsRow,
} from './rights-view.ts'

export function Component() {
  return (
    <AdminFrame title="Rights" subtitle="Effective permissions of users and logins, and where they come from.">
      {(scope) => <Matrix scope={scope} />}
    </AdminFrame>
  )
}

function Matrix({ scope }: { scope: AdminScope }) {
  const rights = useRights(scope)
  return (
    <Loaded query={rights} subject="The rights">
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
  row: RightsRow
  cell: RightsCell
}

function RightsTable({ rights }: { rights: z.infer<typeof Rights> }) {
  const [searchText, setSearchText] = useState('')
  const [selectedCell, setSelectedCell] = useState<SelectedCell | null>(null)
  const driftedCellCount = countDriftedCells(rights.lines)
  const matchingRows = rights.lines.filter((row) => row.name.toLowerCase().includes(searchText.trim().toLowerCase()))
  return (
    <div className={styles.stack}>
      {driftedCellCount > 0 && (
        <Banner tone="warning" title="The database is out of sync with what was set here">
          {driftedCellCount === 1 ? '1 cell is' : `${driftedCellCount} cells are`} out of sync. Somebody changed rights
          in SQL; saving the role or the profile again restores them.
        </Banner>
      )}
      <div className={styles.search}>
        <SearchField
          label="Search users and logins"
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
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
              {matchingRows.map((row) => (
                <tr key={row.profile_trellis_code}>
                  <th scope="row">
                    {row.name} {row.kind === 'external' && <Badge>External</Badge>}
                  </th>
                  {rights.schemas.map((schema) => {
                    const cell = row.cells.find((candidate) => candidate.schema_name === schema)
                    return <td key={schema}>{cell && <CellButton row={row} cell={cell} onOpen={setSelectedCell} />}</td>
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      {selectedCell && <RightSourcesPanel selectedCell={selectedCell} onClose={() => setSelectedCell(null)} />}
    </div>
  )
}

function CellButton({ row, cell, onOpen }: SelectedCell & { onOpen: (selectedCell: SelectedCell) => void }) {
  const displayedRights = listDisplayedRights(cell)
  const sourcesText = cell.rights
    .map((grantedRight) => `${getRightLabel(grantedRight.right)}: ${grantedRight.through.join(' → ')}`)
    .join('\n')
  return (
    <button type="button" className={styles.cellButton} title={sourcesText} onClick={() => onOpen({ row, cell })}>
      <span className="visually-hidden">{`${row.name} on ${cell.schema_name}: `}</span>
      {displayedRights.length === 0 && (
        <>
          <span className={styles.note} aria-hidden>
            –
          </span>
          <span className="visually-hidden">nothing</span>
        </>
      )}
      {displayedRights.map((right, index) => (
        <Fragment key={right}>
          {index > 0 && <span className="visually-hidden">, </span>}
          <Badge tone={right === 'read' || right === 'connect' ? 'neutral' : 'accent'}>{getRightLabel(right)}</Badge>
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

function RightSourcesPanel({
  selectedCell: { row, cell },
  onClose,
}: {
  selectedCell: SelectedCell
  onClose: () => void
}) {
  return (
    <SidePanel title={`${row.name} on ${cell.schema_name}`} onClose={onClose}>
      {cell.rights.length === 0 ? (
        <p>No rights in this schema.</p>
      ) : (
        <ul className={styles.path}>
          {cell.rights.map((grantedRight) => (
            <li key={grantedRight.right}>
              <strong>{getRightLabel(grantedRight.right)}</strong>
              <br />
              <span className={styles.note}>through {grantedRight.through.join(' → ')}</span>
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
