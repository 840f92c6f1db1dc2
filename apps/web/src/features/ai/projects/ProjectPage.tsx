import type { AiProject } from '@trellis/contract/ai/ai.schemas'
import { MessageSquarePlus, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Page, PageHeader, Stack } from '../../../ui/layout/Page.tsx'
import { useAiProject } from '../ai-projects.queries.ts'
import { useStartConversation } from '../conversations.queries.ts'
import { DocumentsCard } from '../documents/DocumentsCard.tsx'
import { useAi } from '../use-ai.ts'
import { useHandedOver, useNewChat } from '../use-new-chat.ts'
import { ContextCard } from './ContextCard.tsx'
import { TablesCard } from './TablesCard.tsx'

const ProjectDialog = lazy(async () => ({ default: (await import('./ProjectDialog.tsx')).ProjectDialog }))
const DeleteProjectDialog = lazy(() => import('./DeleteProjectDialog.tsx'))

export function Component() {
  const { params, paths } = useAi()
  const { project: code = '' } = useParams()
  const project = useAiProject(params, code)
  return (
    <Page>
      <Loaded
        query={project}
        subject="The AI project"
        notFoundLink={<ButtonLink to={paths.projects}>Show projects</ButtonLink>}
      >
        {(project) => <Project project={project} />}
      </Loaded>
    </Page>
  )
}

function Project({ project }: { project: AiProject }) {
  const { params, paths, can } = useAi()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const start = useStartConversation()
  const { project_trellis_code, name, description } = project
  const question = useHandedOver()
  const { ask, isPending } = useNewChat()
  const askHandedOverQuestion = async () => {
    if (question === undefined || isPending) return
    await navigate(paths.project(project_trellis_code), { replace: true, state: null })
    await ask({ project: project_trellis_code, text: question })
  }
  const openChat = () =>
    start.mutate(
      { params, body: { project_trellis_code } },
      { onSuccess: ({ conversation_trellis_code }) => void navigate(paths.chat(conversation_trellis_code)) },
    )
  return (
    <>
      <PageHeader
        title={name}
        subtitle={description === '' ? undefined : description}
        actions={
          <>
            {can('ai:write') && (
              <>
                <Button icon={<Trash2 aria-hidden />} onClick={() => setDialog('delete')}>
                  Delete
                </Button>
                <Button icon={<Pencil aria-hidden />} onClick={() => setDialog('edit')}>
                  Edit
                </Button>
              </>
            )}
            <Button
              variant="primary"
              icon={<MessageSquarePlus aria-hidden />}
              isBusy={start.isPending}
              onClick={openChat}
            >
              New chat
            </Button>
          </>
        }
      />
      <Stack>
        {question !== undefined && (
          <Banner
            title={`“${question}” is not asked yet`}
            action={
              project.table_count > 0 && (
                <Button size="sm" isBusy={isPending} onClick={() => void askHandedOverQuestion()}>
                  Ask now
                </Button>
              )
            }
          >
            {isPending
              ? 'It is asked now.'
              : 'Choose the tables the assistant may read and save them; then it is asked.'}
          </Banner>
        )}
        <TablesCard project={project_trellis_code} onSaved={() => void askHandedOverQuestion()} />
        <DocumentsCard project={project_trellis_code} />
        <ContextCard project={project_trellis_code} />
      </Stack>
      {dialog === 'edit' && (
        <Suspense>
          <ProjectDialog project={project} onSaved={() => setDialog(null)} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {dialog === 'delete' && (
        <Suspense>
          <DeleteProjectDialog project={project} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </>
  )
}
