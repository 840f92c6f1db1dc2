import { updateWorksheet } from '@trellis/contract/worksheets/projects.endpoints'
import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import { useEffect, useMemo } from 'react'
import { ApiError } from '../../../../api/api-error.ts'
import { call } from '../../../../api/call.ts'
import { createObservable, type Observable } from '../../../../ui/data/observable.ts'
import { useWorksheets } from '../../use-worksheets.ts'
import { createDraftSaver, type SaveState } from './draft-saver.ts'
import { getPersonalKey } from './personal-key.ts'
import { createTypingPause } from './typing-pause.ts'

export interface Draft {
  /** Not React state: typing must not render the page. */
  readonly text: Observable<string>
  readonly state: Observable<SaveState>
  type(read: () => string): void
  peek(): string
  flush(): Promise<void>
  adopt(published: UserFile): void
  /** Accepts another tab's version; the own text stays in the file's versions. */
  forget(): void
}

export function useDraft(projectId: string, file: UserFile): Draft {
  const { params } = useWorksheets()
  // Computed early: a sign-out clears the profile before the page is left.
  const key = useMemo(() => getPersonalKey('draft', file.file_id), [file.file_id])
  const storedText = useMemo(() => localStorage.getItem(key), [key])
  const draftSaver = useMemo(() => {
    const text = createObservable(storedText ?? file.content)
    const state = createObservable<SaveState>('saved')
    const saver = createDraftSaver(file, {
      save: ({ content, version }) =>
        call(updateWorksheet, { params, body: { project_id: projectId, file_id: file.file_id, content, version } }),
      isConflict: (error) => error instanceof ApiError && error.code === 'conflict',
      onState: state.set,
      onText: text.set,
      remember: (content) => (content === null ? localStorage.removeItem(key) : localStorage.setItem(key, content)),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      pause: createTypingPause(),
    })
    return { text, state, saver }
  }, [file, key, storedText, params, projectId])
  const { saver } = draftSaver
  useEffect(() => {
    // Recovers a text that a crash kept from being saved.
    if (storedText !== null) saver.change(storedText)
    const onLeave = () => void saver.flush()
    // Mobile browsers may kill a hidden page without further events.
    const onHide = () => {
      if (document.visibilityState === 'hidden') onLeave()
    }
    globalThis.addEventListener('pagehide', onLeave)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      globalThis.removeEventListener('pagehide', onLeave)
      document.removeEventListener('visibilitychange', onHide)
      void saver.flush()
    }
  }, [saver, storedText])
  return useMemo(
    () => ({
      text: draftSaver.text,
      state: draftSaver.state,
      type: saver.type,
      peek: () => saver.peekTyped() ?? draftSaver.text.get(),
      flush: saver.flush,
      adopt: saver.adopt,
      forget: () => {
        void saver.flush()
        localStorage.removeItem(key)
      },
    }),
    [draftSaver, saver, key],
  )
}
