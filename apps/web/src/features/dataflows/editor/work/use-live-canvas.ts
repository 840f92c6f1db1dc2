import { followDataflow } from '@trellis/contract/runs/runs.endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useEvents } from '../../../../api/use-events.ts'
import { canvasQuery } from '../../canvas.queries.ts'
import { useDataflowsPlace } from '../../dataflows.queries.ts'

const ASK_AGAIN_MS = 10_000
const TOGETHER_MS = 400

/** The canvas, read again whenever the server tells that something on it changed, and now and then while it can't tell. */
export function useLiveCanvas(dataflow: string) {
  const { address } = useDataflowsPlace()
  const client = useQueryClient()
  const options = useMemo(() => canvasQuery(address, dataflow), [address, dataflow])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const call = useMemo(() => ({ params: { ...address, trellis_code: dataflow } }), [address, dataflow])
  const { state } = useEvents(followDataflow, call, () => {
    // Many blocks may change at once; one reading shows them all.
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void client.invalidateQueries({ queryKey: options.queryKey }), TOGETHER_MS)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useQuery({ ...options, staleTime: 0, refetchInterval: state === 'live' ? false : ASK_AGAIN_MS })
}
