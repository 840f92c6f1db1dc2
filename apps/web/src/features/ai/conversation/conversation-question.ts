import { createContext, useContext } from 'react'

export type Choices = Readonly<Record<string, string>>

export interface ConversationQuestion {
  question: string
  choices: Choices
  project: string
  ask: (text: string, choices?: Choices) => void
}

/** A context of its own: it changes with every question, and would render all tables and charts again. */
const CanAskContext = createContext(false)

export const CanAskScope = CanAskContext.Provider

export const useCanAsk = (): boolean => useContext(CanAskContext)

const ConversationQuestionContext = createContext<ConversationQuestion | null>(null)

export const ConversationQuestionScope = ConversationQuestionContext.Provider

export function useConversationQuestion(): ConversationQuestion {
  const asking = useContext(ConversationQuestionContext)
  if (!asking) throw new Error('A part of an answer stands outside of its conversation')
  return asking
}
