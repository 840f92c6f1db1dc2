import type { Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { getErrorDetail } from '../../../../api/api-error.ts'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { canvasQuery } from '../../canvas.queries.ts'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { describeChange, type Change, type Places } from '../model/changes.ts'
import { dropStep, getNextStep, NO_HISTORY, pushStep, moveStep, withNewCode, type History } from '../model/history.ts'
import { applyChange, ConflictError, type CommandContext, type Outcome } from './apply-change.ts'
import { withPlaces } from './pending-places.ts'
import { usePlaces } from './use-places.ts'

const getErrorReason = (error: unknown) => (error instanceof ConflictError ? error.message : getErrorDetail(error))
const showFailure = (text: string, error: unknown) => showToast({ tone: 'danger', text, detail: getErrorReason(error) })

/** All changes of a canvas, serialized, with undo. */
export function useCanvasWork(dataflow: string) {
  const { address } = useDataflowsScope()
  const client = useQueryClient()
  const { queryKey } = canvasQuery(address, dataflow)
  const [history, setHistory] = useState(NO_HISTORY)
  const [isBusy, setBusy] = useState(false)
  const past = useRef<History>(NO_HISTORY)
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const key = useRef(queryKey)
  key.current = queryKey

  const reload = useCallback(() => client.invalidateQueries({ queryKey: key.current }), [client])
  const places = usePlaces(address, {
    onFailed: (error) => {
      showFailure('The new places were not saved.', error)
      void reload()
    },
  })
  const { save, unsaved, flush } = places
  const ground = useMemo<CommandContext>(
    () => ({
      address,
      dataflow,
      canvas: () => {
        const queryData = client.getQueryData<Canvas>(key.current)
        if (!queryData) throw new Error('The canvas is changed before it was read')
        return withPlaces(queryData, unsaved())
      },
      place: (movedPlaces: Places) => {
        void client.cancelQueries({ queryKey: key.current })
        client.setQueryData<Canvas>(key.current, (old) => old && withPlaces(old, movedPlaces))
        save(movedPlaces)
      },
      flush,
    }),
    [address, dataflow, client, save, unsaved, flush],
  )

  const keep = useCallback((next: History) => {
    past.current = next
    setHistory(next)
  }, [])
  const kept = useCallback(
    ({ newCodes }: Outcome) => {
      keep(newCodes.reduce((so, [from, to]) => withNewCode(so, from, to), past.current))
    },
    [keep],
  )
  /** Serialized: an undo must not overtake the change it reverts. */
  const inTurn = useCallback(<T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.current.then(work)
    turn.current = mine.catch(() => undefined)
    return mine
  }, [])
  const settle = useCallback(
    async (change: Change) => {
      if (change.kind === 'place') return
      setBusy(true)
      await reload()
      setBusy(false)
    },
    [reload],
  )

  /** False when refused; the error has been shown. */
  const perform = useCallback(
    (change: Change) =>
      inTurn(async () => {
        if (change.kind !== 'place') await flush()
        let isDone = false
        try {
          const outcome = await applyChange(ground, change)
          keep(pushStep(past.current, outcome.made))
          kept(outcome)
          isDone = true
        } catch (error) {
          showFailure('That was not done.', error)
        }
        await settle(change)
        return isDone
      }),
    [inTurn, flush, ground, keep, kept, settle],
  )
  /** Records a change made by another call. */
  const note = useCallback(
    async (change: Change) => {
      keep(pushStep(past.current, change))
      await settle(change)
    },
    [keep, settle],
  )
  const step = useCallback(
    (direction: 'undo' | 'redo') =>
      inTurn(async () => {
        const change = getNextStep(past.current, direction)
        if (!change) return
        if (change.kind !== 'place') await flush()
        try {
          const outcome = await applyChange(ground, change)
          keep(moveStep(past.current, direction, outcome.made))
          kept(outcome)
        } catch (error) {
          keep(dropStep(past.current, direction))
          showFailure(direction === 'undo' ? 'That can not be taken back.' : 'That can not be done again.', error)
        }
        await settle(change)
      }),
    [inTurn, flush, ground, keep, kept, settle],
  )
  const [undoable, redoable] = [history.past.at(-1), history.future.at(-1)]
  return useMemo(
    () => ({
      ground,
      isBusy,
      perform,
      note,
      reload,
      inTurn,
      unsaved,
      undo: () => step('undo'),
      redo: () => step('redo'),
      undoWords: undoable && describeChange(undoable),
      redoWords: redoable && describeChange(redoable),
    }),
    [ground, isBusy, perform, note, reload, inTurn, unsaved, step, undoable, redoable],
  )
}

export type CanvasWork = ReturnType<typeof useCanvasWork>
