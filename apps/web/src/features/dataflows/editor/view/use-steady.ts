import { useRef, useState } from 'react'

type Handlers = Record<string, (...args: never[]) => unknown>

/** The same functions at every drawing, each doing what the latest one does: a new one would draw every block anew. */
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
