import { updateBlockMetadata } from '@trellis/contract/dataflows/canvas.endpoints'
import { useCallback, useEffect, useRef } from 'react'
import type { WorkspaceAddress } from '../../../../api/workspace-address.ts'
import { call } from '../../../../api/call.ts'
import type { Places } from '../model/changes.ts'
import { mergePlaces } from './pending-places.ts'

const SAVE_AFTER_MS = 600
const MAX_BATCH = 1000

interface PlacesPorts {
  onFailed: (error: unknown) => void
}

/** One debounced request for all moves; flushed when the page is left. */
export function usePlaces(address: WorkspaceAddress, { onFailed }: PlacesPorts) {
  const waiting = useRef<Places>({})
  const sent = useRef<Places>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ address, onFailed })
  latest.current = { address, onFailed }

  const flush = useCallback(async () => {
    clearTimeout(timer.current)
    const blocks = Object.entries(waiting.current).map(([task_block_trellis_code, metadata]) => ({
      task_block_trellis_code,
      metadata,
    }))
    sent.current = mergePlaces(sent.current, waiting.current)
    waiting.current = {}
    try {
      for (let index = 0; index < blocks.length; index += MAX_BATCH)
        await call(updateBlockMetadata, {
          params: latest.current.address,
          body: { blocks: blocks.slice(index, index + MAX_BATCH) },
        })
    } catch (error) {
      latest.current.onFailed(error)
    } finally {
      sent.current = {}
    }
  }, [])
  const save = useCallback(
    (places: Places) => {
      waiting.current = mergePlaces(waiting.current, places)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), SAVE_AFTER_MS)
    },
    [flush],
  )
  useEffect(() => {
    const leave = () => document.visibilityState === 'hidden' && void flush()
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      void flush()
    }
  }, [flush])
  return { save, flush, unsaved: useCallback(() => mergePlaces(sent.current, waiting.current), []) }
}
