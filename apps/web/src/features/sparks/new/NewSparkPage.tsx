import { useNavigate } from 'react-router'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { Tabs } from '../../../ui/layout/Tabs.tsx'
import { Sparkle } from 'lucide-react'
import { useAiProjects } from '../../ai/ai-projects.queries.ts'
import styles from '../sparks.module.css'
import { useSparks } from '../use-sparks.ts'
import { PromptForm } from './PromptForm.tsx'
import { BlankSparkForm } from './BlankSparkForm.tsx'
import { TemplateForm } from './TemplateForm.tsx'

export function Component() {
  const { params, paths } = useSparks()
  const projects = useAiProjects(params)
  return (
    <Page>
      <PageHeader title="New spark" subtitle="It reads the tables of a project, with the rights of who looks at it." />
      <Loaded query={projects} subject="The AI projects">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={<Sparkle aria-hidden />}
              title="No AI projects yet"
              subtitle="A project names the tables that sparks and the assistant may read."
              action={
                <ButtonLink variant="primary" to={`${paths.projects}?new=1`}>
                  Create project
                </ButtonLink>
              }
            />
          ) : (
            <NewSparkTabs projects={items} />
          )
        }
      </Loaded>
    </Page>
  )
}

function NewSparkTabs({
  projects,
}: {
  projects: readonly { project_trellis_code: string; name: string; table_count: number }[]
}) {
  const { paths } = useSparks()
  const navigate = useNavigate()
  const address = useAddress()
  const [project, setProject] = useState(
    () =>
      address.params.get('project') ??
      (projects.find(({ table_count }) => table_count > 0) ?? projects[0])?.project_trellis_code ??
      '',
  )
  const startFrom = address.params.get('from') ?? 'template'
  const open = (code: string) => void navigate(startFrom === 'scratch' ? paths.edit(code) : paths.one(code))
  return (
    <div className={styles.steps}>
      <div className={styles.form}>
        <Select
          label="Project"
          hint="Its tables are what the spark may read."
          options={projects.map((project) => ({ value: project.project_trellis_code, label: project.name }))}
          value={project}
          onChange={(event) => setProject(event.target.value)}
        />
      </div>
      <Tabs
        label="How to begin"
        value={startFrom}
        onChange={(from) => address.put({ from })}
        tabs={[
          {
            value: 'template',
            label: 'Template',
            content: <TemplateForm key={project} project={project} onCreated={open} />,
          },
          { value: 'prompt', label: 'Describe it', content: <PromptForm project={project} onCreated={open} /> },
          { value: 'scratch', label: 'From scratch', content: <BlankSparkForm project={project} onCreated={open} /> },
        ]}
      />
    </div>
  )
}
