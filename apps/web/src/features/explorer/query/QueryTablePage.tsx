import type { ProjectFiles } from '@trellis/contract/worksheets/worksheets.schemas'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type * as z from 'zod/mini'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Page, PageHeader, Stack } from '../../../ui/layout/Page.tsx'
import { useProjectFiles } from '../../worksheets/worksheets.queries.ts'
import { useTableDetails } from '../explorer.queries.ts'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import { useOpenQuery } from './use-open-query.ts'

type Project = z.infer<typeof ProjectFiles>

const projectKey = (workspace: string) => `trellis.query.project ${workspace}`

/** Creates a worksheet with a SELECT of the table and runs it; asks for the project once when there are several. */
export function Component() {
  const { params, paths } = useExplorer()
  const address = useTableAddress()
  const details = useTableDetails(params, address)
  const projects = useProjectFiles(params)
  return (
    <Loaded
      query={details}
      subject="The table"
      notFoundLink={<ButtonLink to={paths.schema(address)}>Show the schema</ButtonLink>}
    >
      {({ columns }) => (
        <Loaded query={projects} subject="Your projects">
          {(list) => <Opening projects={list} columns={columns.map(({ name }) => name)} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function Opening({ projects, columns }: { projects: readonly Project[]; columns: readonly string[] }) {
  const { key, paths } = useExplorer()
  const [search] = useSearchParams()
  const [isChoosing, setChoosing] = useState(search.has('choose'))
  const last = projects.find(({ project_id }) => project_id === localStorage.getItem(projectKey(key)))
  const project = last ?? (projects.length === 1 ? projects[0] : undefined)
  if (projects.length === 0) {
    return (
      <Page>
        <EmptyState
          title="No project yet"
          subtitle="A worksheet lies in a project. Create one first, then query this table."
          action={<ButtonLink to={paths.worksheets}>Show worksheets</ButtonLink>}
        />
      </Page>
    )
  }
  if (isChoosing || project === undefined) {
    return (
      <ChooseProject
        projects={projects}
        first={project}
        onChoose={(code) => {
          localStorage.setItem(projectKey(key), code)
          setChoosing(false)
        }}
      />
    )
  }
  return <OpenNow project={project} columns={columns} />
}

interface ChooseProjectProps {
  projects: readonly Project[]
  first: Project | undefined
  onChoose: (projectId: string) => void
}

function ChooseProject({ projects, first, onChoose }: ChooseProjectProps) {
  const { paths } = useExplorer()
  const address = useTableAddress()
  const [selected, setSelected] = useState(first?.project_id ?? projects[0]?.project_id ?? '')
  return (
    <Page width="narrow">
      <PageHeader
        title={`Query ${address.table}`}
        subtitle="The new worksheet is a draft of yours until you publish it."
      />
      <Card>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            onChoose(selected)
          }}
        >
          <Stack>
            <Select
              label="Project"
              hint="The next table you query opens in this project, too."
              value={selected}
              options={projects.map(({ project_id, name }) => ({ value: project_id, label: name }))}
              onChange={(event) => setSelected(event.target.value)}
            />
            <div>
              <Button type="submit" variant="primary">
                Open worksheet
              </Button>{' '}
              <ButtonLink to={paths.table(address)}>Cancel</ButtonLink>
            </div>
          </Stack>
        </form>
      </Card>
    </Page>
  )
}

function OpenNow({ project, columns }: { project: Project; columns: readonly string[] }) {
  const { paths } = useExplorer()
  const tableAddress = useTableAddress()
  const navigate = useNavigate()
  const opening = useOpenQuery()
  const hasBegun = useRef(false)
  const begin = async () => {
    const { project_id: projectId } = project
    const file = await opening.mutateAsync({ project, table: tableAddress, columns }).catch(() => undefined)
    if (!file) return
    const address = { projectId, folderId: file.folder_id, fileId: file.file_id, name: file.name }
    void navigate(paths.worksheet(address), { replace: true, state: { runOn: tableAddress.database } })
  }
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    void begin()
  })
  if (opening.isError) {
    return (
      <Page>
        <ErrorPanel
          title="The worksheet could not be created"
          detail={getErrorDetail(opening.error)}
          onRetry={() => void begin()}
        />
      </Page>
    )
  }
  return (
    <Loading label="Opening a worksheet">
      <Skeleton height={240} />
    </Loading>
  )
}
