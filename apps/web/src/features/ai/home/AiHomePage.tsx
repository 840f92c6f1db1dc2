import type { AiProject } from '@trellis/contract/ai/ai.schemas'
import { Sparkles } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from '../ai.module.css'
import { useAiProjects } from '../ai-projects.queries.ts'
import { useConversations, useStartConversation } from '../conversations.queries.ts'
import { useAttachFiles } from '../documents/documents.queries.ts'
import { ExampleQuestions } from '../ExampleQuestions.tsx'
import { ProjectSelect } from '../ProjectSelect.tsx'
import { type Engine, EngineChoice } from '../composer/EngineChoice.tsx'
import { QuestionBox } from '../composer/QuestionBox.tsx'
import { useAiModel } from '../model/ai-model.queries.ts'
import { useAi } from '../use-ai.ts'
import { useHandedOver, useNewChat } from '../use-new-chat.ts'

const MAX_RECENT = 5

export function Component() {
  const { params, paths, can } = useAi()
  const projects = useAiProjects(params)
  const question = useHandedOver()
  return (
    <Loaded query={projects} subject="The AI projects">
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState
            icon={<Sparkles aria-hidden />}
            title="No AI projects yet"
            subtitle={
              can('ai:write')
                ? `A project names the tables the assistant may read. Create one to ask ${question === undefined ? 'your first question' : `“${question}”`}.`
                : 'A project names the tables the assistant may read. Ask an editor or admin to create one.'
            }
            action={
              can('ai:write') && (
                <ButtonLink variant="primary" to={`${paths.projects}?new=1`} state={{ question }}>
                  Create project
                </ButtonLink>
              )
            }
          />
        ) : (
          <Ask projects={items} />
        )
      }
    </Loaded>
  )
}

function Ask({ projects }: { projects: readonly AiProject[] }) {
  const { params, paths, can } = useAi()
  const navigate = useNavigate()
  const { ask, isPending } = useNewChat()
  const start = useStartConversation()
  const attach = useAttachFiles()
  const { data: model } = useAiModel(params.account_trellis_code)
  const [engine, setEngine] = useState<Engine>('model')
  const [code, setCode] = useState(
    () => (projects.find(({ table_count }) => table_count > 0) ?? projects[0])?.project_trellis_code ?? '',
  )
  const project = projects.find((candidate) => candidate.project_trellis_code === code)
  const question = useHandedOver()
  const isHandedOver = useRef(false)
  const send = (text: string, replace = false) => ask({ project: code, text, engine, replace })
  const sendHandedOver = useEffectEvent(async () => {
    if (question === undefined || isHandedOver.current || project?.table_count === 0) return
    isHandedOver.current = true
    // Clear the state: a reload or Back must not ask again.
    await navigate(paths.home, { replace: true, state: null })
    await send(question, true)
  })
  useEffect(() => void sendHandedOver(), [])
  /** Files belong to a chat: attaching one creates it. */
  const attachToNew = async (files: readonly File[], draft: string) => {
    try {
      const { conversation_trellis_code } = await start.mutateAsync({ params, body: { project_trellis_code: code } })
      // The mutation shows the error; the chat stays for a retry.
      await attach.mutateAsync({ params: { ...params, conversation_trellis_code }, files }).catch(() => undefined)
      await navigate(paths.chat(conversation_trellis_code), { state: { draft, engine } })
    } catch {
      // The mutation shows the error.
    }
  }
  return (
    <div className={styles.ask}>
      <h2>What do you want to know?</h2>
      {projects.length > 1 && <ProjectSelect projects={projects} value={code} onChange={setCode} />}
      {project?.table_count === 0 ? (
        <p className={styles.none}>
          No tables are chosen for {project.name} yet.{' '}
          {can('ai:write') ? (
            <Link to={paths.project(code)} state={{ question }}>
              Choose tables
            </Link>
          ) : (
            'Ask an editor or admin to choose some.'
          )}
        </p>
      ) : (
        <>
          <div>
            <QuestionBox
              isListBelow
              first={question ?? ''}
              isBusy={isPending}
              onAsk={send}
              isAttaching={start.isPending || attach.isPending}
              onAttach={(files, text) => void attachToNew(files, text)}
            />
            {model && (
              <EngineChoice
                answering={{ ...model, engine: model.source === 'none' ? 'rules' : 'model' }}
                engine={engine}
                onChange={setEngine}
              />
            )}
          </div>
          <ExampleQuestions project={code} isDisabled={isPending} onAsk={(text) => void send(text)} />
        </>
      )}
      <RecentChats />
    </div>
  )
}

function RecentChats() {
  const { params, paths } = useAi()
  const { data } = useConversations(params, { search: '', project: '', page: 1 })
  if (!data || data.items.length === 0) return null
  return (
    <Card isFlush title="Recent chats" actions={<Link to={paths.chats}>All chats</Link>}>
      <ul className={styles.list} aria-label="Recent chats">
        {data.items.slice(0, MAX_RECENT).map(({ conversation_trellis_code, name, updated_at }) => (
          <li key={conversation_trellis_code} className={styles.line}>
            <Link to={paths.chat(conversation_trellis_code)}>{name}</Link>
            <span className={styles.facts}>
              <DateTime value={updated_at} format="recent" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
