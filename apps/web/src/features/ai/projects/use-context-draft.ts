import type { BusinessContext, SuggestedQuestion } from '@trellis/contract/ai/ai.schemas'
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

export interface ContextToWrite {
  project: string
  context?: BusinessContext | undefined
  suggestion?: SuggestedQuestion | undefined
}

function toDraft({ context, suggestion }: ContextToWrite): ContextDraft {
  if (context) return { ...EMPTY, kind: context.kind, name: context.name, text: context.text, sql: context.sql ?? '' }
  if (suggestion) return { ...EMPTY, kind: 'verified_question', name: suggestion.question, sql: suggestion.sql }
  return EMPTY
}

export function useContextDraft(toWrite: ContextToWrite, onSaved: () => void) {
  const { project, context, suggestion } = toWrite
  const { params } = useAi()
  const [draft, setDraft] = useState<ContextDraft>(() => toDraft(toWrite))
  const create = useCreateContext()
  const update = useUpdateContext()
  const { isPending, error } = context ? update : create
  const { kind, name, text, sql, isForAll } = draft
  const hasSql = kind === 'verified_question' || kind === 'metric'
  const canSave = !isPending && name.trim() !== '' && (hasSql ? sql : text).trim() !== ''
  const save = () => {
    if (!canSave) return
    const values = { name: name.trim(), text: text.trim(), ...(hasSql && { sql: sql.trim() }) }
    if (context) {
      const { context_trellis_code } = context
      update.mutate({ params: { ...params, context_trellis_code }, body: values }, { onSuccess: onSaved })
      return
    }
    const projectParams = isForAll && !hasSql ? {} : { project_trellis_code: project }
    const database = hasSql && suggestion && { integration_trellis_code: suggestion.integration_trellis_code }
    create.mutate({ params, body: { ...values, ...projectParams, ...database, kind } }, { onSuccess: onSaved })
  }
  const change = (some: Partial<ContextDraft>) => setDraft((before) => ({ ...before, ...some }))
  return { draft, change, hasSql, canSave, save, isPending, error }
}

export type ContextForm = ReturnType<typeof useContextDraft>
