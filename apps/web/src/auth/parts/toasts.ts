import { useSyncExternalStore } from 'react'
import type { Notice } from '../../app/session/handover.ts'

export interface Toast extends Notice {
  id: number
}

const SHOWN_FOR = 3_000

let toasts: readonly Toast[] = []
let lastId = 0
const none: readonly Toast[] = []
const listeners = new Set<() => void>()
const timers = new Map<number, ReturnType<typeof setTimeout>>()

export function showToast(notice: Notice): void {
  lastId += 1
  const id = lastId
  change([...toasts.filter(({ text }) => text !== notice.text), { ...notice, id }])
  releaseToast(id)
}

/** Hovering pauses the timeout. */
export function holdToast(id: number): void {
  clearTimeout(timers.get(id))
}

export function releaseToast(id: number): void {
  holdToast(id)
  timers.set(
    id,
    setTimeout(() => dismissToast(id), SHOWN_FOR),
  )
}

export function dismissToast(id: number): void {
  holdToast(id)
  timers.delete(id)
  change(toasts.filter((toast) => toast.id !== id))
}

export const listToasts = (): readonly Toast[] => toasts

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listToasts,
    () => none,
  )
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
