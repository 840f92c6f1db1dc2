import type { FormaElement } from '@trellis/contract/formas/forma'
import { createContext, useContext, type ReactNode } from 'react'
import type { WorkspaceAddress } from '../api/workspace-address.ts'

export interface FormaContext {
  address: WorkspaceAddress
  /** Null before the connection exists; options can't be loaded then. */
  integration: string | null
  drawManifest?: (part: ManifestPart) => ReactNode
  drawOauth?: () => ReactNode
}

export interface ManifestPart {
  value: unknown
  error: string | undefined
  isDisabled: boolean
  onChange: (value: unknown) => void
}

export interface ElementProps<T extends FormaElement['type']> {
  element: Extract<FormaElement, { type: T }>
  name: string
  value: unknown
  error: string | undefined
  isOptional: boolean
  isDisabled: boolean
  isKept: boolean
  onChange: (value: unknown) => void
  onTouch: () => void
  onReplace: (isReplaced: boolean) => void
}

const Here = createContext<FormaContext | null>(null)

export const SurroundingsProvider = Here.Provider

export function useSurroundings(): FormaContext {
  const here = useContext(Here)
  if (!here) throw new Error('A forma stands outside of its surroundings')
  return here
}
