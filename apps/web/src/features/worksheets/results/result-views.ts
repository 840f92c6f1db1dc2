import { useState } from 'react'

export const RESULT_VIEWS = { rows: 'Rows', chart: 'Chart' } as const
export type ResultViewName = keyof typeof RESULT_VIEWS

const isView = (text: string | null): text is ResultViewName => text !== null && text in RESULT_VIEWS
const viewKey = (fileId: string | null) => `trellis.worksheet.view ${fileId ?? ''}`

/** The way a worksheet's results were last looked at, in this browser. */
export function useResultView(fileId: string | null) {
  const [view, setView] = useState<ResultViewName>(() => {
    const last = localStorage.getItem(viewKey(fileId))
    return isView(last) ? last : 'rows'
  })
  const choose = (next: ResultViewName) => {
    localStorage.setItem(viewKey(fileId), next)
    setView(next)
  }
  return [view, choose] as const
}
