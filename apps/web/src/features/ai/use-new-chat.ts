import { useLocation, useNavigate } from 'react-router'
import { useState } from 'react'
import type { Engine } from './composer/EngineChoice.tsx'
import { useAskFirst } from './conversations.queries.ts'
import { useAi } from './use-ai.ts'

interface NewChatInput {
  readonly project: string
  readonly text: string
  readonly engine?: Engine
  /** The page that asks is not one to come back to. */
  readonly replace?: boolean
}

/** Asks a question in a chat of its own and goes there. */
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

/** A question from another page. It goes along in the history while there is no project or no table to ask. */
export function useHandedOver(): string | undefined {
  const { state } = useLocation()
  const [question] = useState((state as { question?: string } | null)?.question)
  return question
}
