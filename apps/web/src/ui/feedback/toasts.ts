import { useSyncExternalStore } from 'react'

export type ToastTone = 'success' | 'danger' | 'info' | 'warning'

export interface Toast {
  id: number
  text: string
  detail?: string
  tone: ToastTone
  /** `corner` hides itself; `centre` is the bar that waits to be dismissed. */
  place: 'corner' | 'centre'
  action?: { label: string; onSelect: () => void }
  onDismiss?: () => void
}

export const TOAST_MS = 3000
const VISIBLE = 3

let queue: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function replace(next: readonly Toast[]): void {
  queue = next
  for (const listener of listeners) listener()
}

/** One queue for the whole product. The same words are never shown twice at once. */
export function showToast(toast: { text: string } & Partial<Omit<Toast, 'id'>>): number {
  const same = queue.find((other) => other.text === toast.text && other.detail === toast.detail)
  if (same) return same.id
  lastId += 1
  replace([...queue, { tone: 'info', place: 'corner', ...toast, id: lastId }])
  return lastId
}

export function dismissToast(id: number): void {
  replace(queue.filter((toast) => toast.id !== id))
}

export const listToasts = (): readonly Toast[] => queue

/** The toasts to be seen now: the rest of the corner queue waits its turn. */
export function listVisibleToasts(all: readonly Toast[]): { corner: readonly Toast[]; centre: Toast | undefined } {
  return {
    corner: all.filter((toast) => toast.place === 'corner').slice(0, VISIBLE),
    centre: all.find((toast) => toast.place === 'centre'),
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, listToasts, listToasts)
}
