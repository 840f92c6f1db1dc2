import type { ProjectFiles } from '@trellis/contract/worksheets/worksheets.schemas'
import { FileCode2, FilePlus2, FolderPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type * as z from 'zod/mini'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Page, PageHeader, Stack } from '../../../ui/layout/Page.tsx'
import { useWorksheets } from '../use-worksheets.ts'
import { useProjectFiles } from '../worksheets.queries.ts'
import { NewProjectDialog } from './NewProjectDialog.tsx'
import { NewWorksheetDialog } from './NewWorksheetDialog.tsx'
import { ProjectCard } from './ProjectCard.tsx'
import styles from './list.module.css'

type Projects = z.infer<typeof ProjectFiles>[]

export function Component() {
  const { params, can } = useWorksheets()
  const projects = useProjectFiles(params)
  const [dialog, setDialog] = useState<'worksheet' | 'project' | null>(null)
  const first = projects.data?.[0]
  return (
    <Page>
      <PageHeader
        title="Worksheets"
        subtitle="SQL in projects: write on your own branch, push to the live branch when it is ready."
        actions={
          <>
            {can('worksheets:publish') && (
              <Button icon={<FolderPlus aria-hidden />} onClick={() => setDialog('project')}>
                New project
              </Button>
            )}
            {can('worksheets:draft') && first && (
              <Button variant="primary" icon={<FilePlus2 aria-hidden />} onClick={() => setDialog('worksheet')}>
                New worksheet
              </Button>
            )}
          </>
        }
      />
      <Loaded query={projects} subject="The worksheets">
        {(projects) => <ProjectList projects={projects} onNewProject={() => setDialog('project')} />}
      </Loaded>
      {dialog === 'project' && <NewProjectDialog onClose={() => setDialog(null)} />}
      {dialog === 'worksheet' && projects.data && (
        <NewWorksheetDialog projects={projects.data} onClose={() => setDialog(null)} />
      )}
    </Page>
  )
}

function ProjectList({ projects, onNewProject }: { projects: Projects; onNewProject: () => void }) {
  const { can } = useWorksheets()
  const [searchText, setSearchText] = useState('')
  const { hash } = useLocation()
  useEffect(() => document.getElementById(hash.slice(1))?.scrollIntoView(), [hash])
  if (projects.length === 0) {
    return (
      <EmptyState
        icon={<FileCode2 aria-hidden />}
        title="No projects yet"
        subtitle="A project holds worksheets that your team writes and publishes together."
        action={
          can('worksheets:publish') && (
            <Button variant="primary" onClick={onNewProject}>
              Create project
            </Button>
          )
        }
      />
    )
  }
  return (
    <Stack>
      <div className={styles.search}>
        <SearchField
          label="Search worksheets"
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
      </div>
      {projects.map((project) => (
        <div key={project.project_id} id={project.project_id}>
          <ProjectCard project={project} searchText={searchText} />
        </div>
      ))}
    </Stack>
  )
}
