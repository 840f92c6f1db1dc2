/** What a load keeps beside the rows in the workspace's database. */
export interface LoadState {
  readonly epoch: number
  readonly isDone: boolean
}

export type FenceDecision =
  | { readonly do: 'write' }
  | { readonly do: 'stop'; readonly reason: string }
  /** An earlier attempt got through and only could not tell. */
  | { readonly do: 'finished' }

/** Asked inside the transaction that writes, with the row locked: an answer from before it began would be worth nothing. */
export function decideFence(state: LoadState | undefined, epoch: number): FenceDecision {
  if (!state) return { do: 'write' }
  if (epoch < state.epoch) return { do: 'stop', reason: 'Another worker has taken this run over, or it was cancelled.' }
  return state.isDone ? { do: 'finished' } : { do: 'write' }
}

/** Another worker has taken the run over, or it was cancelled. */
export class FencedOff extends Error {
  override readonly name = 'FencedOff'
}
