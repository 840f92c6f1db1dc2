import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import { listActions, isValidAction } from '@trellis/contract/dataflows/triggers'
import { describeSchedule } from '@trellis/dataflow-engine/schedules/in-words'
import { parseSchedule } from '@trellis/dataflow-engine/schedules/schedule'

export function describeTriggerForm(form: TriggerForm, findName: (code: string) => string | undefined): string {
  const descriptions = listActions(form).flatMap(([, action]) => {
    if (!isValidAction(action)) return []
    if (action.action === 'Schedule') return [describeSchedule(parseSchedule(action.actionValue, 0))]
    const name = findName(action.actionValue.taskBlockTrellisCode)
    return [name === undefined ? 'after a block that was deleted' : `after "${name}"`]
  })
  if (form.eventEvaluationType === 'NO_TRIGGER' || listActions(form).length === 0) return 'Only when started by hand'
  if (descriptions.length === 0) return 'The trigger is not filled in yet'
  if (descriptions.length === 1) return capitalize(descriptions[0] ?? '')
  return form.eventEvaluationType === 'Or'
    ? capitalize(descriptions.join('; or '))
    : `Once all of these have come: ${descriptions.join('; ')}`
}

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
