import { RUN_AT_REQUIRED_MESSAGE, WEEKDAYS_MESSAGE } from '@trellis/contract/dataflows/schedules'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import { findActionProblems, listActions, isEmptyAction, isTriggerComplete } from '@trellis/contract/dataflows/triggers'
import { REQUIRED } from '@trellis/contract/formas/forma-rules'
import { type Fault, invalidFault, missingFault } from './fault.ts'

const EMPTY_FIELD_PROBLEMS = new Set<string>([REQUIRED, RUN_AT_REQUIRED_MESSAGE, WEEKDAYS_MESSAGE])

export function findTriggerFaults(form: TriggerForm, activities: readonly string[]): Fault[] {
  if (isTriggerComplete(form, activities)) return []
  const isAll = form.eventEvaluationType === 'And'
  const relevantActions = listActions(form).filter(([, action]) => isAll || !isEmptyAction(action))
  const faults = relevantActions.flatMap(([id, action]) =>
    Object.entries(findActionProblems(action, activities)).map(([field, problem]) => {
      const path = `trigger.actions.${id}.${field}`
      const sentence = `Trigger ${action.order + 1}: ${problem}`
      return EMPTY_FIELD_PROBLEMS.has(problem) ? missingFault(path, sentence) : invalidFault(path, sentence)
    }),
  )
  return faults.length > 0 ? faults : [missingFault('trigger.actions', 'Fill in at least one action of the trigger.')]
}
