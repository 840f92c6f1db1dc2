export interface CausingEvent {
  /** The due time, if the event is from the block's own schedule. */
  readonly nominalAt: number | null
  readonly source: { readonly runId: number; readonly dataflowId: number; readonly flowRunId: number | null } | null
}

interface NewFlowRun {
  readonly cause: 'schedule' | 'event'
  /** Block runs of a dataflow with the same key share a flow run. */
  readonly key: string | null
  readonly nominalAt: number | null
  readonly causeRunId: number | null
}

export type FlowRunChoice =
  | { readonly do: 'join'; readonly flowRunId: number }
  | { readonly do: 'start'; readonly flowRun: NewFlowRun }

/**
 * An upstream success continues its flow run; of several, the newest. Otherwise each due time starts one flow run for
 * all blocks due then, and each success in another dataflow one for all blocks waiting for it here.
 */
export function chooseFlowRun(dataflowId: number, events: readonly CausingEvent[]): FlowRunChoice {
  const sources = events.flatMap(({ source }) => source ?? [])
  const joinableFlowRuns = sources.flatMap((source) =>
    source.dataflowId === dataflowId && source.flowRunId !== null ? [source.flowRunId] : [],
  )
  if (joinableFlowRuns.length > 0) return { do: 'join', flowRunId: Math.max(...joinableFlowRuns) }
  const dueTimes = events.flatMap(({ nominalAt }) => nominalAt ?? [])
  const causeRunId = sources.length === 0 ? null : Math.max(...sources.map(({ runId }) => runId))
  if (dueTimes.length > 0) {
    const nominalAt = Math.min(...dueTimes)
    return { do: 'start', flowRun: { cause: 'schedule', key: `schedule:${nominalAt}`, nominalAt, causeRunId } }
  }
  return {
    do: 'start',
    flowRun: { cause: 'event', key: causeRunId === null ? null : `event:${causeRunId}`, nominalAt: null, causeRunId },
  }
}
