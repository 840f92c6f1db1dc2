import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import { lazy, memo, Suspense } from 'react'
import { Markdown } from '../../../../ui/data/Markdown.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx'
import { ActionCard } from '../../actions/ActionCard.tsx'
import { FollowUps } from './FollowUps.tsx'
import type { PartOf } from './part-kinds.ts'
import { Passages } from './Passages.tsx'
import { Reading } from './Reading.tsx'
import { ReadingCards } from './ReadingCards.tsx'
import { Sources } from './Sources.tsx'
import { SqlPart } from './SqlPart.tsx'
import { Step } from './Step.tsx'
import styles from './parts.module.css'

const AnswerChart = lazy(() => import('./AnswerChart.tsx'))
const AnswerTable = lazy(() => import('./AnswerTable.tsx'))

/** Memoized: every word of a streaming answer would render all tables and charts again. */
export const AnswerParts = memo(function AnswerParts({ parts }: { parts: readonly MessagePart[] }) {
  return (
    <div className={styles.parts}>
      {parts.map((part, index) => (
        <Part key={part.id} part={part} before={parts.slice(0, index)} />
      ))}
    </div>
  )
})

const isTable = (part: MessagePart): part is PartOf<'table'> => part.kind === 'table'

function Part({ part, before }: { part: MessagePart; before: readonly MessagePart[] }) {
  switch (part.kind) {
    case 'text':
      return <Markdown text={part.text} hasOutsideLinks={false} />
    case 'step':
      return <Step step={part} />
    case 'reading':
      return <Reading reading={part} />
    case 'readings':
      return <ReadingCards part={part} />
    case 'sql':
      return <SqlPart part={part} />
    case 'table':
      return (
        <Suspense fallback={<Skeleton height={180} />}>
          <AnswerTable table={part} />
        </Suspense>
      )
    case 'chart': {
      const table = before.findLast(isTable)
      return table ? (
        <Suspense fallback={<Skeleton height={320} />}>
          <AnswerChart spec={part.chart} table={table} />
        </Suspense>
      ) : null
    }
    case 'sources':
      return <Sources sources={part} />
    case 'documents':
      return <Passages part={part} />
    case 'follow_ups':
      return <FollowUps questions={part.questions} />
    case 'problem':
      return (
        <Banner tone="danger" title={part.message}>
          {part.hint}
        </Banner>
      )
    case 'engine':
      return <p className={styles.engine}>{describeEngine(part)}</p>
    case 'action':
      return <ActionCard code={part.action_id} />
  }
}

function describeEngine({ engine, model }: PartOf<'engine'>): string {
  if (engine === 'verified') return 'Answered with a verified question.'
  if (engine === 'model') return `Answered by ${model ?? 'a model'}.`
  if (model !== null) return `Answered by rules, without ${model}.`
  return 'Rule-based assistant; connect a model for free-form questions.'
}
