import { useState, useSyncExternalStore } from 'react'

let isPressed = false
let release: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function press(): void {
  clearTimeout(release)
  isPressed = true
}

/**
 * The click follows in the same task as the release, so a timer runs after it. Drawing within the event would also put
 * the old value back into a controlled field before its change is seen.
 */
function releaseSoon(): void {
  if (!isPressed) return
  clearTimeout(release)
  release = setTimeout(() => {
    isPressed = false
    for (const listener of listeners) listener()
  })
}

function watchPresses(): void {
  const options = { capture: true, passive: true }
  // A touch moves the focus with the mouse events made of it, after its own pointerup.
  for (const type of ['pointerdown', 'mousedown']) addEventListener(type, press, options)
  for (const type of ['pointerup', 'mouseup', 'pointercancel', 'dragend']) addEventListener(type, releaseSoon, options)
  // The list of a native select swallows the release of the press that opened it.
  for (const type of ['keydown', 'input']) addEventListener(type, releaseSoon, options)
  addEventListener('blur', (event) => event.target instanceof Element || releaseSoon(), options)
  addEventListener('pointermove', (event) => event.buttons > 0 || releaseSoon(), options)
}

if (typeof window !== 'undefined') watchPresses()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * A message that appears between press and release moves what is being pressed, and the click is lost. This value
 * changes only while nothing is pressed; a component that mounts during a press begins with `initial`.
 */
export function useHeldWhilePressed<T>(value: T, initial: T): T {
  const isHeld = useSyncExternalStore(
    subscribe,
    () => isPressed,
    () => false,
  )
  const [shown, setShown] = useState(isHeld ? initial : value)
  if (!isHeld && !Object.is(shown, value)) setShown(() => value)
  return isHeld ? shown : value
}
