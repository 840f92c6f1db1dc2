export interface LoadState {
  readonly epoch: number
  readonly isDone: boolean
}

export type FenceDecision =
  | { readonly do: 'write' }
  | { readonly do: 'stop'; readonly reason: string }
  /** An earlier attempt committed but could not report it. */
  | { readonly do: 'finished' }

/** A lower epoch than the stored one means that another worker has taken over. */
export function decideFence(state: LoadState | undefined, epoch: number): FenceDecision {
  if (!state) return { do: 'write' }
  if (epoch < state.epoch) return { do: 'stop', reason: 'Another worker has taken this run over, or it was cancelled.' }
  return state.isDone ? { do: 'finished' } : { do: 'write' }
}

/** Another worker has taken the load over: this one must stop without writing. */
export class FencedOff extends Error {
  override readonly name = 'FencedOff'
}
