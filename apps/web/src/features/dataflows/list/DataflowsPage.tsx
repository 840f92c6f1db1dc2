import type { FolderStructure } from '@trellis/contract/dataflows/dataflows.schemas'
import { FileUp, Plus } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Breadcrumbs } from '../../../ui/layout/Breadcrumbs.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { useDataflowsScope, useFolderStructure } from '../dataflows.queries.ts'
import { DataflowTable } from './DataflowTable.tsx'
import { FlowPicture } from './FlowPicture.tsx'
import { folderTrail } from './folder-tree.ts'
import { FolderTree } from './FolderTree.tsx'
import { useListDialog } from './list-dialogs.ts'
import { ListDialogs } from './ListDialogs.tsx'
import styles from './list.module.css'

export function Component() {
  const { address } = useDataflowsScope()
  const structure = useFolderStructure(address)
  const [params] = useSearchParams()
  const folder = params.get('folder')
  return (
    <Page width="full">
      <ListDialogs folders={structure.data?.folders ?? []}>
        <Head structure={structure.data} folder={folder} />
        <Loaded query={structure} subject="The list of dataflows">
          {(folderStructure) => <Content structure={folderStructure} folder={folder} />}
        </Loaded>
      </ListDialogs>
    </Page>
  )
}

interface ContentProps {
  structure: FolderStructure
  folder: string | null
}

function Head({ structure, folder }: { structure: FolderStructure | undefined; folder: string | null }) {
  const { canWrite, paths } = useDataflowsScope()
  const open = useListDialog()
  const trail = folderTrail(structure?.folders ?? [], folder)
  const hasAny = structure !== undefined && structure.dataflows.length + structure.folders.length > 0
  return (
    <>
      {trail.length > 1 && (
        <Breadcrumbs
          label="Folders above"
          crumbs={trail.map(({ name, trellis_code }) => ({ label: name, to: paths.folder(trellis_code) }))}
        />
      )}
      <PageHeader
        title={trail.at(-1)?.name ?? 'Dataflows'}
        subtitle={
          trail.length === 0 && 'What brings data into this workspace, works on it and sends it on, and when that runs.'
        }
        actions={
          canWrite &&
          hasAny && (
            <>
              <Button icon={<FileUp aria-hidden />} onClick={() => open({ kind: 'import', folder })}>
                Import from YAML
              </Button>
              <Button
                variant="primary"
                icon={<Plus aria-hidden />}
                onClick={() => open({ kind: 'create-dataflow', folder })}
              >
                Create dataflow
              </Button>
            </>
          )
        }
      />
    </>
  )
}

function Content({ structure, folder }: ContentProps) {
  const { paths } = useDataflowsScope()
  if (structure.dataflows.length + structure.folders.length === 0) return <Nothing />
  const isGone = folder !== null && folderTrail(structure.folders, folder).length === 0
  return (
    <div className={styles.columns}>
      <FolderTree structure={structure} current={folder} />
      <div className={styles.pane}>
        {isGone ? (
          <ErrorPanel title="The folder was not found" detail="It was deleted. What was in it has moved up.">
            <ButtonLink to={paths.list}>All dataflows</ButtonLink>
          </ErrorPanel>
        ) : (
          <DataflowTable structure={structure} folder={folder} />
        )}
      </div>
    </div>
  )
}

function Nothing() {
  const { canWrite } = useDataflowsScope()
  const open = useListDialog()
  return (
    <EmptyState
      picture={<FlowPicture />}
      title="No dataflows yet"
      subtitle={
        canWrite
          ? 'A dataflow is a drawing of blocks: sources bring data in, transformations work on it, destinations send it on. Arrows say what waits for what.'
          : 'Editors and admins of this workspace build dataflows. They will be listed here.'
      }
      action={
        canWrite && (
          <>
            <Button onClick={() => open({ kind: 'create-dataflow', folder: null })}>Create dataflow</Button>
            <Button onClick={() => open({ kind: 'import', folder: null })}>Import from YAML</Button>
          </>
        )
      }
    />
  )
}
