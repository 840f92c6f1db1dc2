import { useState } from 'react'

export const RESULT_VIEWS = { rows: 'Rows', chart: 'Chart', pivot: 'Pivot', compare: 'Compare' } as const
export type ResultViewName = keyof typeof RESULT_VIEWS

const isView = (text: string | null): text is ResultViewName => text !== null && text in RESULT_VIEWS
const viewKey = (fileId: string | null) => `trellis.worksheet.view ${fileId ?? ''}`

export function useResultView(fileId: string | null) {
  const [selected, setSelected] = useState<ResultViewName | null>(null)
  // The worksheet is known only once the job has loaded.
  const last = localStorage.getItem(viewKey(fileId))
  const choose = (next: ResultViewName) => {
    localStorage.setItem(viewKey(fileId), next)
    setSelected(next)
  }
  return [selected ?? (isView(last) ? last : 'rows'), choose] as const
}
