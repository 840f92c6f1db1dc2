import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isSame } from '../../ui/forms/form-values.ts'
import { createHistory, recordChange, redoHistory, undoHistory } from '../../ui/forms/history.ts'
import { findManifestFaults, plainPath, getValueAtPath, withIn, type Fault } from './manifest-draft.ts'

interface ServerFaults {
  about: RestManifest
  faults: readonly Fault[]
}

export interface Draft {
  manifest: RestManifest
  faults: readonly Fault[]
  canUndo: boolean
  canRedo: boolean
  valueAt(path: string): unknown
  set(path: string, value: unknown): void
  replace(manifest: RestManifest): void
  touch(path: string): void
  faultAt(path: string): string | undefined
  /** Server errors are shown only while `about`, the manifest they were found in, is unchanged. */
  showAll(serverFaults?: ServerFaults): void
  undo(): void
  redo(): void
}

export function useDraft(start: RestManifest, onChange: (manifest: RestManifest) => void): Draft {
  const [history, setHistory] = useState(() => createHistory(start))
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isAllShown, setAllShown] = useState(false)
  const [said, setSaid] = useState<ServerFaults | null>(null)
  const manifest = history.now
  const tell = useRef(onChange)
  useEffect(() => {
    tell.current = onChange
  })
  useEffect(() => {
    if (manifest !== start) tell.current(manifest)
  }, [manifest, start])
  const ownFaults = useMemo(() => findManifestFaults(manifest), [manifest])
  const faults = useMemo(() => [...ownFaults, ...listCurrentFaults(said, manifest)], [ownFaults, said, manifest])
  const actions = useMemo(
    () => ({
      set: (path: string, value: unknown) =>
        setHistory((oldHistory) => recordChange(oldHistory, withIn(oldHistory.now, path, value), path)),
      replace: (next: RestManifest) => {
        setHistory((oldHistory) => recordChange(oldHistory, next, null))
        setSaid(null)
      },
      touch: (path: string) => setTouched((old) => new Set(old).add(path)),
      showAll: (serverFaults?: ServerFaults) => {
        setAllShown(true)
        setSaid(serverFaults ?? null)
      },
      undo: () => setHistory(undoHistory),
      redo: () => setHistory(redoHistory),
    }),
    [],
  )
  return {
    ...actions,
    manifest,
    faults,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    valueAt: (path) => getValueAtPath(manifest, path),
    faultAt: (path) =>
      isAllShown || touched.has(path) ? faults.find((fault) => fault.path === path)?.message : undefined,
  }
}

function listCurrentFaults(said: ServerFaults | null, manifest: RestManifest): Fault[] {
  const plain = (said?.faults ?? []).map(({ path, message }) => ({ path: plainPath(path), message }))
  return plain.filter(({ path }) => said && isSame(getValueAtPath(said.about, path), getValueAtPath(manifest, path)))
}
