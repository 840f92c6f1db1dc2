import { updateWorksheet } from '@trellis/contract/worksheets/projects.endpoints'
import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { createDraftSaver, type SaveState } from './draft-saver.ts'

const keptKey = (fileId: string) => `trellis.worksheet.draft ${fileId}`

/** The text of a file on the own branch: saved while one types, and kept in the browser until the server has it. */
export function useDraft(projectId: string, file: UserFile) {
  const { params } = useWorksheets()
  const [state, setState] = useState<SaveState>('saved')
  const kept = useMemo(() => localStorage.getItem(keptKey(file.file_id)), [file.file_id])
  const [text, setText] = useState(kept ?? file.content)
  const saver = useMemo(
    () =>
      createDraftSaver(file, {
        save: ({ content, version }) =>
          call(updateWorksheet, { params, body: { project_id: projectId, file_id: file.file_id, content, version } }),
        isConflict: (error) => error instanceof ApiError && error.code === 'conflict',
        onState: setState,
        onText: setText,
        remember: (content) =>
          content === null
            ? localStorage.removeItem(keptKey(file.file_id))
            : localStorage.setItem(keptKey(file.file_id), content),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      }),
    [file, params, projectId],
  )
  useEffect(() => {
    // A crash left a text that never reached the server.
    if (kept !== null) saver.change(kept)
    const onLeave = () => void saver.flush()
    globalThis.addEventListener('pagehide', onLeave)
    return () => {
      globalThis.removeEventListener('pagehide', onLeave)
      void saver.flush()
    }
  }, [saver, kept])
  return {
    text,
    state,
    type: (read: () => string) => saver.type(read),
    flush: () => saver.flush(),
    adopt: (published: UserFile) => saver.adopt(published),
    /** Takes what another tab saved; the own text stays among the kept versions of the file. */
    forget: () => {
      void saver.flush()
      localStorage.removeItem(keptKey(file.file_id))
    },
  }
}
