import type { Folder, FolderStructure } from '@trellis/contract/dataflows/dataflows.schemas'
import {
  ChevronRight,
  Folder as FolderIcon,
  FolderInput,
  FolderPlus,
  Pencil,
  Plus,
  Trash2,
  Workflow,
} from 'lucide-react'
import { useState, type DragEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { parseDropped, isOurs, startDrag } from './drag-data.ts'
import { listDataflowsIn, folderRows, type FolderRow } from './folder-tree.ts'
import { useListDialog } from './list-dialogs.ts'
import styles from './list.module.css'
import { useMoves } from './use-moves.ts'

export function FolderTree({ structure, current }: { structure: FolderStructure; current: string | null }) {
  const { canWrite, paths } = useDataflowsScope()
  const open = useListDialog()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const toggle = (code: string) =>
    setFolded((old) => {
      const next = new Set(old)
      if (!next.delete(code)) next.add(code)
      return next
    })
  const { folders } = structure
  return (
    <nav aria-label="Folders" className={styles.tree}>
      <div className={styles.treeHead}>
        <h2>Folders</h2>
        {canWrite && (
          <IconButton
            size="sm"
            label="Create a folder"
            icon={<FolderPlus aria-hidden />}
            onClick={() => open({ kind: 'create-folder', parent: current })}
          />
        )}
      </div>
      <ul>
        <Target folders={folders} into={null} isCurrent={current === null}>
          <span className={styles.fold} />
          <Link to={paths.list} aria-current={current === null ? 'page' : undefined} className={styles.folderLink}>
            <Workflow aria-hidden />
            <span>All dataflows</span>
            <Count count={structure.dataflows.length} />
          </Link>
        </Target>
        {folderRows(folders, folded).map((row) => (
          <FolderLine
            key={row.folder.trellis_code}
            row={row}
            structure={structure}
            isCurrent={row.folder.trellis_code === current}
            isOpen={!folded.has(row.folder.trellis_code)}
            onToggle={() => toggle(row.folder.trellis_code)}
          />
        ))}
      </ul>
    </nav>
  )
}

const Count = ({ count }: { count: number }) => (
  <span className={styles.count}>
    {count}
    <span className="visually-hidden"> {count === 1 ? 'dataflow' : 'dataflows'}</span>
  </span>
)

interface LineProps {
  row: FolderRow
  structure: FolderStructure
  isCurrent: boolean
  isOpen: boolean
  onToggle: () => void
}

function FolderLine({ row: { folder, level, hasChildren }, structure, isCurrent, isOpen, onToggle }: LineProps) {
  const { paths, canWrite } = useDataflowsScope()
  const open = useListDialog()
  const { trellis_code: code, name } = folder
  return (
    <Target folders={structure.folders} into={code} isCurrent={isCurrent} level={level}>
      {hasChildren ? (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Fold' : 'Unfold'} ${name}`}
          onClick={onToggle}
        >
          <ChevronRight aria-hidden />
        </button>
      ) : (
        <span className={styles.fold} />
      )}
      <Link
        to={paths.folder(code)}
        draggable={canWrite}
        onDragStart={(event) => startDrag(event, 'folder', code)}
        aria-current={isCurrent ? 'page' : undefined}
        className={styles.folderLink}
      >
        <FolderIcon aria-hidden />
        <span>{name}</span>
        <Count count={listDataflowsIn(structure, code).length} />
      </Link>
      {canWrite && (
        <RowActions
          label={`Actions for the folder ${name}`}
          groups={[
            [
              {
                label: 'New dataflow here',
                icon: <Plus aria-hidden />,
                onSelect: () => open({ kind: 'create-dataflow', folder: code }),
              },
              {
                label: 'New folder in it',
                icon: <FolderPlus aria-hidden />,
                onSelect: () => open({ kind: 'create-folder', parent: code }),
              },
            ],
            [
              {
                label: 'Rename…',
                icon: <Pencil aria-hidden />,
                onSelect: () => open({ kind: 'rename-folder', folder }),
              },
              {
                label: 'Move to…',
                icon: <FolderInput aria-hidden />,
                onSelect: () => open({ kind: 'move-folder', folder }),
              },
            ],
            [
              {
                label: 'Delete…',
                icon: <Trash2 aria-hidden />,
                isDanger: true,
                onSelect: () => open({ kind: 'delete-folder', folder }),
              },
            ],
          ]}
        />
      )}
    </Target>
  )
}

interface TargetProps {
  folders: readonly Folder[]
  into: string | null
  isCurrent: boolean
  level?: number
  children: ReactNode
}

function Target({ folders, into, isCurrent, level = 0, children }: TargetProps) {
  const { canWrite } = useDataflowsScope()
  const { moveDataflow, moveFolder } = useMoves(folders)
  const [isOver, setOver] = useState(false)
  const onDragOver = (event: DragEvent) => {
    if (!canWrite || !isOurs(event)) return
    event.preventDefault()
    setOver(true)
  }
  const onDrop = (event: DragEvent) => {
    const draggedItem = parseDropped(event)
    setOver(false)
    if (!draggedItem) return
    event.preventDefault()
    void (draggedItem.kind === 'dataflow' ? moveDataflow : moveFolder)(draggedItem.code, into)
  }
  return (
    <li>
      <div
        role="presentation"
        className={styles.folderLine}
        style={{ paddingLeft: 4 + Math.max(0, level - 1) * 14 }}
        data-current={isCurrent || undefined}
        data-over={isOver || undefined}
        onDragOver={onDragOver}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        {children}
      </div>
    </li>
  )
}
