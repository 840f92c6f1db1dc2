import { followDataflow } from '@trellis/contract/runs/runs.endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useEvents } from '../../../../api/use-events.ts'
import { canvasQuery } from '../../canvas.queries.ts'
import { useDataflowsScope } from '../../dataflows.queries.ts'

const ASK_AGAIN_MS = 10_000
const TOGETHER_MS = 400

/** Reloads on server events, and polls while the event stream is down. */
export function useLiveCanvas(dataflow: string) {
  const { address } = useDataflowsScope()
  const client = useQueryClient()
  const options = useMemo(() => canvasQuery(address, dataflow), [address, dataflow])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const call = useMemo(() => ({ params: { ...address, trellis_code: dataflow } }), [address, dataflow])
  const { state } = useEvents(followDataflow, call, () => {
    // Debounced: many blocks may change at once.
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void client.invalidateQueries({ queryKey: options.queryKey }), TOGETHER_MS)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useQuery({ ...options, staleTime: 0, refetchInterval: state === 'live' ? false : ASK_AGAIN_MS })
}
