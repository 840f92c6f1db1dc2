import type { FileLine, ProjectFiles } from '@trellis/contract/worksheets/worksheets.schemas'
import { FileCode2, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type * as z from 'zod/mini'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { CHANGE_LABELS } from '../change-words.ts'
import { UsedByBlocks } from '../scheduled/UsedByBlocks.tsx'
import { useWorksheets } from '../use-worksheets.ts'
import { useDeleteWorksheet } from '../worksheets.queries.ts'
import { RenameDialog } from './RenameDialog.tsx'
import styles from './list.module.css'

type Project = z.infer<typeof ProjectFiles>

export function ProjectCard({ project, searchText }: { project: Project; searchText: string }) {
  const searchTerm = searchText.trim().toLowerCase()
  const files = project.user.files.filter(({ path }) => path.toLowerCase().includes(searchTerm))
  const unpublished = project.unpublished_count
  return (
    <Card
      isFlush
      title={project.name}
      subtitle={project.description === '' ? undefined : project.description}
      actions={
        <>
          {unpublished > 0 && (
            <Badge tone="info">
              {unpublished} unpublished {unpublished === 1 ? 'change' : 'changes'}
            </Badge>
          )}
          <CopyButton text={`git clone ${project.clone_url}`} label="Copy git clone command" />
        </>
      }
    >
      {files.length === 0 ? (
        <p className={styles.none}>
          {searchTerm === '' ? 'No worksheets in this project yet.' : `No worksheet is called “${searchText.trim()}”.`}
        </p>
      ) : (
        <ul className={styles.list} aria-label={`Worksheets of ${project.name}`}>
          {files.map((file) => (
            <WorksheetLine key={file.file_id} projectId={project.project_id} file={file} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function WorksheetLine({ projectId, file }: { projectId: string; file: FileLine }) {
  const { params, paths, can } = useWorksheets()
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const remove = useDeleteWorksheet()
  const { file_id: fileId, folder_id: folderId, name, path, change, has_conflict: hasConflict, updated_at } = file
  return (
    <li className={styles.line}>
      <Link to={paths.worksheet({ projectId, folderId, fileId, name })}>
        <FileCode2 aria-hidden />
        {path}
      </Link>
      {hasConflict ? (
        <Badge tone="warning">Conflict</Badge>
      ) : (
        change !== 'unchanged' && <Badge>{CHANGE_LABELS[change]}</Badge>
      )}
      <span className={styles.when}>
        <DateTime value={updated_at} format="recent" />
      </span>
      {can('worksheets:draft') && (
        <Menu
          label={`Actions for ${name}`}
          align="end"
          groups={[
            [{ label: 'Rename', onSelect: () => setDialog('rename') }],
            [{ label: 'Delete', isDanger: true, onSelect: () => setDialog('delete') }],
          ]}
          trigger={(props) => (
            <IconButton {...props} size="sm" label={`Actions for ${name}`} icon={<MoreHorizontal aria-hidden />} />
          )}
        />
      )}
      {dialog === 'rename' && <RenameDialog projectId={projectId} file={file} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          isBusy={remove.isPending}
          onConfirm={() =>
            remove.mutate(
              { params, query: { project_id: projectId, file_id: fileId } },
              { onSuccess: () => setDialog(null) },
            )
          }
          onClose={() => setDialog(null)}
        >
          <p>
            It is deleted on your branch. The live branch keeps it until you push, and every version can be restored.
          </p>
          <UsedByBlocks projectId={projectId} fileId={fileId} />
        </ConfirmDialog>
      )}
    </li>
  )
}
