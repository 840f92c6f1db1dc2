import { createContext, useContext } from 'react'

export type Choices = Readonly<Record<string, string>>

/** What the parts of one answer can do. */
export interface Asking {
  /** The question this answer belongs to. */
  question: string
  /** What was chosen when it was asked. */
  choices: Choices
  project: string
  /** False while an answer is being written. */
  canAsk: boolean
  ask: (text: string, choices?: Choices) => void
}

const AskingContext = createContext<Asking | null>(null)

export const AskingScope = AskingContext.Provider

export function useAsking(): Asking {
  const asking = useContext(AskingContext)
  if (!asking) throw new Error('A part of an answer stands outside of its conversation')
  return asking
}
