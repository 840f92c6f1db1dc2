import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { allows } from '@trellis/contract/core/permissions'
import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { Sparkle } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { SubmitDialog } from '../../../../ui/forms/SubmitDialog.tsx'
import { TextField } from '../../../../ui/forms/TextField.tsx'
import { useCurrentWorkspace } from '../../../accounts/accounts.queries.ts'
import { useAiProjects } from '../../../ai/ai-projects.queries.ts'
import { useCreateSpark } from '../../../sparks/sparks.queries.ts'

interface MakeSparkProps {
  job: SqlJob
  result: Statement
  chart: ChartSpec
}

export function MakeSparkButton(props: MakeSparkProps) {
  const { account, workspace } = useCurrentWorkspace()
  const [isOpen, setOpen] = useState(false)
  if (!allows('ai:write', { accountRole: account.role, workspaceRole: workspace.role })) return null
  return (
    <>
      <Button size="sm" icon={<Sparkle aria-hidden />} onClick={() => setOpen(true)}>
        Create a spark
      </Button>
      {isOpen && <MakeSparkDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function MakeSparkDialog({ job, result, chart, onClose }: MakeSparkProps & { onClose: () => void }) {
  const { params, home } = useCurrentWorkspace()
  const navigate = useNavigate()
  const projects = useAiProjects(params)
  const create = useCreateSpark()
  const [name, setName] = useState(chart.title === '' ? 'Result of a worksheet' : chart.title)
  const [selected, setSelected] = useState<string | null>(null)
  const project = selected ?? projects.data?.items[0]?.project_trellis_code ?? ''
  const sql = job.sql.slice(result.start, result.end).trim().replace(/;$/, '')
  return (
    <SubmitDialog
      title="Create a spark"
      submitLabel="Create spark"
      isBusy={create.isPending}
      isLoading={projects.isPending}
      canSubmit={name.trim() !== '' && (projects.isPending || project !== '')}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(
          {
            params,
            body: {
              project_trellis_code: project,
              name,
              origin: { kind: 'query', integration_trellis_code: job.integration_trellis_code, sql, chart },
            },
          },
          {
            onSuccess: (spark) => void navigate(`${home}/sparks/${spark.spark_trellis_code}`),
          },
        )
      }
    >
      <TextField label="Name" maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      <Loaded query={projects} subject="The AI projects" skeletonHeights={[64]}>
        {({ items }) =>
          items.length === 0 ? (
            <Banner tone="info" title="No AI projects yet">
              A project names the tables that sparks may read.{' '}
              <Link to={`${home}/ai/projects?new=1`}>Create project</Link>
            </Banner>
          ) : (
            <Select
              label="Project"
              hint="The spark may read the tables of this project."
              options={items.map((item) => ({ value: item.project_trellis_code, label: item.name }))}
              value={project}
              onChange={(event) => setSelected(event.target.value)}
            />
          )
        }
      </Loaded>
    </SubmitDialog>
  )
}
