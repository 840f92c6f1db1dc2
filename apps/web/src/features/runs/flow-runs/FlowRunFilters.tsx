import { FLOW_RUN_STATES } from '@trellis/contract/dataflows/dataflow-words'
import { FLOW_RUN_CAUSES } from '@trellis/contract/runs/flow-runs.schemas'
import { FLOW_STATE_LABELS } from '../../../running/flow-run-states.ts'
import { Select } from '../../../ui/forms/Select.tsx'
import runs from '../runs.module.css'
import { CAUSE_LABELS } from './flow-run-words.ts'
import { useFlowRunFilter } from './use-flow-run-filter.ts'

export function FlowRunFilters() {
  const { wanted, put } = useFlowRunFilter()
  const { state, cause } = wanted
  return (
    <div className={runs.filters} role="group" aria-label="Filter">
      <Select
        label="Status"
        placeholder="Any status"
        options={FLOW_RUN_STATES.map((value) => ({ value, label: FLOW_STATE_LABELS[value].word }))}
        value={state ?? ''}
        onChange={(event) => put({ state: event.target.value || null })}
      />
      <Select
        label="Triggered by"
        placeholder="Anything"
        options={FLOW_RUN_CAUSES.map((value) => ({
          value,
          label: CAUSE_LABELS[value],
        }))}
        value={cause ?? ''}
        onChange={(event) => put({ cause: event.target.value || null })}
      />
    </div>
  )
}
