import { createContext, useContext } from 'react'

export type Choices = Readonly<Record<string, string>>

/** What the parts of one answer can do. */
export interface Asking {
  /** The question this answer belongs to. */
  question: string
  /** What was chosen when it was asked. */
  choices: Choices
  project: string
  ask: (text: string, choices?: Choices) => void
}

/** Changes with every question: apart from the rest, or the tables and charts of all earlier answers are drawn again. */
const CanAskContext = createContext(false)

export const CanAskScope = CanAskContext.Provider

/** False while an answer is being written. */
export const useCanAsk = (): boolean => useContext(CanAskContext)

const AskingContext = createContext<Asking | null>(null)

export const AskingScope = AskingContext.Provider

export function useAsking(): Asking {
  const asking = useContext(AskingContext)
  if (!asking) throw new Error('A part of an answer stands outside of its conversation')
  return asking
}
