import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import { actionsOf, isValidAction } from '@trellis/contract/dataflows/triggers'
import { scheduleInWords } from '@trellis/dataflow-engine/schedules/in-words'
import { scheduleOf } from '@trellis/dataflow-engine/schedules/schedule'

/** What starts a block, as a sentence without its full stop. Cards that are not filled in are left out. */
export function triggerInWords(form: TriggerForm, nameOf: (code: string) => string | undefined): string {
  const parts = actionsOf(form).flatMap(([, action]) => {
    if (!isValidAction(action)) return []
    if (action.action === 'Schedule') return [scheduleInWords(scheduleOf(action.actionValue, 0))]
    const name = nameOf(action.actionValue.taskBlockTrellisCode)
    return [name === undefined ? 'after a block that was deleted' : `after "${name}"`]
  })
  if (form.eventEvaluationType === 'NO_TRIGGER' || actionsOf(form).length === 0) return 'Only when started by hand'
  if (parts.length === 0) return 'The trigger is not filled in yet'
  if (parts.length === 1) return capital(parts[0] ?? '')
  return form.eventEvaluationType === 'Or'
    ? capital(parts.join('; or '))
    : `Once all of these have come: ${parts.join('; ')}`
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
