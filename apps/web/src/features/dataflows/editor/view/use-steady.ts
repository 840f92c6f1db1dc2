import { useRef, useState } from 'react'

type Handlers = Record<string, (...args: never[]) => unknown>

/** Stable references that call the latest handlers: a new function would render every block. */
export function useSteady<T extends Handlers>(handlers: T): T {
  const latest = useRef(handlers)
  latest.current = handlers
  const [steady] = useState(() =>
    Object.fromEntries(
      Object.keys(handlers).map((name) => [name, (...args: never[]) => latest.current[name]?.(...args)]),
    ),
  )
  return steady as T
}
