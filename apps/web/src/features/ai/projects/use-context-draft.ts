import type { BusinessContext } from '@trellis/contract/ai/ai.schemas'
import { useState } from 'react'
import { useCreateContext, useUpdateContext } from '../ai-projects.queries.ts'
import { useAi } from '../use-ai.ts'
import type { ContextKind } from './context-words.ts'

interface ContextDraft {
  kind: ContextKind
  name: string
  text: string
  sql: string
  isForAll: boolean
}

const EMPTY: ContextDraft = { kind: 'text', name: '', text: '', sql: '', isForAll: false }

/** What is being written into the dialog, and how it is saved: a new one, or a change of `context`. */
export function useContextDraft(project: string, context: BusinessContext | undefined, onSaved: () => void) {
  const { params } = useAi()
  const [draft, setDraft] = useState<ContextDraft>(() =>
    context ? { ...EMPTY, kind: context.kind, name: context.name, text: context.text, sql: context.sql ?? '' } : EMPTY,
  )
  const create = useCreateContext()
  const update = useUpdateContext()
  const { isPending, error } = context ? update : create
  const { kind, name, text, sql, isForAll } = draft
  const isQuestion = kind === 'verified_question'
  const canSave = !isPending && name.trim() !== '' && (isQuestion ? sql : text).trim() !== ''
  const save = () => {
    if (!canSave) return
    const values = { name: name.trim(), text: text.trim(), ...(isQuestion && { sql: sql.trim() }) }
    if (context) {
      const { context_trellis_code } = context
      update.mutate({ params: { ...params, context_trellis_code }, body: values }, { onSuccess: onSaved })
      return
    }
    const place = isForAll && !isQuestion ? {} : { project_trellis_code: project }
    create.mutate({ params, body: { ...values, ...place, kind } }, { onSuccess: onSaved })
  }
  const change = (some: Partial<ContextDraft>) => setDraft((before) => ({ ...before, ...some }))
  return { draft, change, isQuestion, canSave, save, isPending, error }
}

export type ContextForm = ReturnType<typeof useContextDraft>
