import type { AiProject } from '@trellis/contract/ai/ai.schemas'
import { useNavigate } from 'react-router'
import { formatCount } from '../../../ui/data/amounts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useProjectSparks } from '../../sparks/sparks.queries.ts'
import { useDeleteAiProject } from '../ai-projects.queries.ts'
import { useAi } from '../use-ai.ts'

const MAX_NAMED = 5

/** Lists the sparks, since their readers may never open the project. */
export default function DeleteProjectDialog({ project, onClose }: { project: AiProject; onClose: () => void }) {
  const { params, paths } = useAi()
  const navigate = useNavigate()
  const remove = useDeleteAiProject()
  const { project_trellis_code, name, conversation_count } = project
  const sparks = useProjectSparks({ ...params, project_trellis_code })
  const names = sparks.data?.sparks.map((spark) => spark.name) ?? []
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isBusy={remove.isPending}
      canConfirm={!sparks.isPending}
      onConfirm={() =>
        remove.mutate(
          { params: { ...params, project_trellis_code } },
          { onSuccess: () => void navigate(paths.projects) },
        )
      }
      onClose={onClose}
    >
      <p>
        Its documents, business context and {formatCount(conversation_count, 'chat')} are deleted for everyone. The
        tables stay as they are.
      </p>
      {names.length > 0 && (
        <p>
          {`${formatCount(names.length, 'spark')} of this project ${names.length === 1 ? 'is' : 'are'} deleted too: `}
          <strong>{`${names.slice(0, MAX_NAMED).join(', ')}${more}`}</strong>.
        </p>
      )}
    </ConfirmDialog>
  )
}
