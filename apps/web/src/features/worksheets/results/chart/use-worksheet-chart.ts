import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { suggestChart } from '@trellis/contract/charts/suggest-chart'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { WorksheetChart } from '@trellis/contract/worksheets/charts.endpoints'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useParams } from 'react-router'
import type { ResultRows } from '../../sql.queries.ts'
import { useWorksheets } from '../../use-worksheets.ts'
import { useDeleteChart, useSaveChart, useShareChart, useWorksheetCharts } from './charts.queries.ts'
import { pickChart } from './pick-chart.ts'

/** Debounce while typing a title. */
const SAVE_DELAY_MS = 600

interface ChartAt {
  readonly fileId: string | null
  readonly statement: number
  readonly columns: readonly ResultColumn[]
  readonly rows: ResultRows
}

export function useWorksheetChart({ fileId, statement, columns, rows }: ChartAt) {
  const { params, can } = useWorksheets()
  const { projectId = '' } = useParams()
  const charts = useWorksheetCharts(params, { projectId: fileId === null ? '' : projectId, fileId: fileId ?? '' })
  const save = useSaveChart()
  const share = useShareChart()
  const reset = useDeleteChart()
  const [edited, setEdited] = useState<ChartSpec | null>(null)
  const saved = useMemo(() => pickChart(charts.data ?? [], statement, columns), [charts.data, statement, columns])
  const guess = useMemo(() => suggestChart(columns, rows), [columns, rows])
  const canSave = fileId !== null && projectId !== ''
  const ref = { project_id: projectId, file_id: fileId ?? '', statement }
  const send = useEffectEvent(async (spec: ChartSpec) => {
    if (canSave) await save.mutateAsync({ params, body: { ...ref, spec } }).catch(() => undefined)
  })
  useEffect(() => {
    if (!edited) return undefined
    const timer = setTimeout(() => void send(edited), SAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [edited])
  const isOwn = edited !== null || saved?.is_shared === false
  return {
    spec: edited ?? saved?.spec ?? guess,
    isReady: !charts.isLoading,
    change: setEdited,
    state: describeState({ edited, sent: save.variables?.body.spec, isSent: save.isSuccess, saved }),
    canShare: canSave && isOwn && can('worksheets:publish'),
    share: async () => {
      if (edited) await save.mutateAsync({ params, body: { ...ref, spec: edited } })
      await share.mutateAsync({ params, body: ref })
      setEdited(null)
    },
    canReset: canSave && isOwn,
    reset: async () => {
      await reset.mutateAsync({ params, query: ref })
      setEdited(null)
    },
  }
}

interface SaveFacts {
  edited: ChartSpec | null
  sent: unknown
  isSent: boolean
  saved: WorksheetChart | undefined
}

function describeState({ edited, sent, isSent, saved }: SaveFacts): string {
  if (edited === null) {
    return saved?.is_shared === true ? 'Shared with the project. Changes are yours until you share them.' : ''
  }
  return sent === edited && isSent ? 'Chart saved. A push of the worksheet shows it to everybody.' : 'Saving…'
}
