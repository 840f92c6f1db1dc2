import type { ScheduledQuestion } from '@trellis/contract/ai/scheduled-questions.schemas'
import { useState } from 'react'
import { Link } from 'react-router'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { StatusDot, type Tone } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import styles from './schedules.module.css'
import aiStyles from '../ai.module.css'
import { useAi } from '../use-ai.ts'
import { describeSchedule } from './schedule-draft.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import {
  useDeleteScheduledQuestion,
  useRunScheduledQuestion,
  useUpdateScheduledQuestion,
} from './scheduled-questions.queries.ts'

type Outcome = NonNullable<ScheduledQuestion['last_outcome']>

const OUTCOMES: Record<Outcome, { word: string; tone: Tone }> = {
  mailed: { word: 'Mailed', tone: 'success' },
  unchanged: { word: 'Unchanged, no mail', tone: 'neutral' },
  failed: { word: 'Failed', tone: 'danger' },
}

export function ScheduledQuestionsCard({ questions }: { questions: readonly ScheduledQuestion[] }) {
  return (
    <Card
      isFlush
      title="Scheduled questions"
      subtitle="Asked on a schedule; the answers come by mail. Only you see yours."
    >
      <ul aria-label="Scheduled questions" className={aiStyles.list}>
        {questions.map((question) => (
          <QuestionRow key={question.question_trellis_code} question={question} />
        ))}
      </ul>
    </Card>
  )
}

function QuestionRow({ question }: { question: ScheduledQuestion }) {
  const { paths } = useAi()
  const { schedule, only_if_changed, last_asked_at, last_outcome, last_problem, next_at, is_paused, is_running } =
    question
  const chat = question.conversation_trellis_code
  return (
    <li className={styles.row}>
      <span className={styles.text}>
        <span className={styles.question}>{question.question}</span>
        <span className={styles.facts}>
          {describeSchedule(schedule)}
          {only_if_changed && ' · only when the answer changed'}
          {' · '}
          {is_paused ? (
            'paused'
          ) : next_at === null ? (
            'no further run'
          ) : (
            <>
              next run <DateTime value={next_at} />
            </>
          )}
        </span>
        <span className={styles.facts}>
          {is_running ? (
            <StatusDot tone="info" isBusy>
              Running
            </StatusDot>
          ) : last_outcome === null ? (
            <StatusDot>Not asked yet</StatusDot>
          ) : (
            <StatusDot tone={OUTCOMES[last_outcome].tone}>{OUTCOMES[last_outcome].word}</StatusDot>
          )}
          {!is_running && last_asked_at !== null && (
            <>
              {' '}
              <DateTime value={last_asked_at} format="recent" />
            </>
          )}
          {chat !== null && (
            <>
              {' · '}
              <Link to={paths.chat(chat)}>Show answers</Link>
            </>
          )}
        </span>
        {!is_running && last_problem !== null && <span className={styles.problem}>{last_problem}</span>}
      </span>
      <QuestionActions question={question} />
    </li>
  )
}

function QuestionActions({ question }: { question: ScheduledQuestion }) {
  const { params } = useAi()
  const update = useUpdateScheduledQuestion()
  const run = useRunScheduledQuestion()
  const remove = useDeleteScheduledQuestion()
  const [isAsking, setAsking] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const { is_paused, question_trellis_code } = question
  const input = { params: { ...params, question_trellis_code } }
  return (
    <>
      <RowActions
        label={`Actions for ${question.question}`}
        groups={[
          [
            { label: 'Run now', isDisabled: question.is_running, onSelect: () => run.mutate(input) },
            { label: 'Edit', onSelect: () => setEditing(true) },
            {
              label: is_paused ? 'Resume' : 'Pause',
              onSelect: () => update.mutate({ ...input, body: { is_paused: !is_paused } }),
            },
          ],
          [{ label: 'Delete', isDanger: true, onSelect: () => setAsking(true) }],
        ]}
      />
      {isEditing && (
        <ScheduleDialog
          project={question.project_trellis_code}
          question={question.question}
          scheduled={question}
          onClose={() => setEditing(false)}
        />
      )}
      {isAsking && (
        <ConfirmDialog
          title="Delete this scheduled question?"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(input, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>“{question.question}” is not asked again. The chat with its answers stays.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
