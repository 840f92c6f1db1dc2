import { useLocation, useNavigate } from 'react-router'
import { useState } from 'react'
import type { Engine } from './composer/EngineChoice.tsx'
import { useAskFirst } from './conversations.queries.ts'
import { useAi } from './use-ai.ts'

interface NewChatInput {
  readonly project: string
  readonly text: string
  readonly engine?: Engine
  /** Replaces the page in the history. */
  readonly replace?: boolean
}

export function useNewChat() {
  const { params, paths } = useAi()
  const navigate = useNavigate()
  const asking = useAskFirst()
  const ask = async ({ project, text, engine = 'model', replace = false }: NewChatInput): Promise<boolean> => {
    try {
      const { code, draft, needsCredits } = await asking.mutateAsync({ params, project, text, engine })
      await navigate(paths.chat(code), { replace, state: { draft, needsCredits, engine } })
      return true
    } catch {
      return false
    }
  }
  return { ask, isPending: asking.isPending }
}

/** Stays in the history state until there is a project with a table. */
export function useHandedOver(): string | undefined {
  const { state } = useLocation()
  const [question] = useState((state as { question?: string } | null)?.question)
  return question
}
