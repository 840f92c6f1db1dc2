import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { ScheduleType, ScheduleValue } from '@trellis/contract/dataflows/schedules'

export interface Activity {
  task_block_trellis_code: string
  name: string
  kind: ActivityKind
}

export interface CardFields {
  getError: (name: string) => string | undefined
  touch: (name: string) => void
  isDisabled: boolean
}

type ArgsOf<T extends ScheduleType> = Extract<ScheduleValue, { scheduleType: T }>['scheduleArgs']

export interface ArgsProps<T extends ScheduleType> {
  args: ArgsOf<T>
  fields: CardFields
  onChange: (args: ArgsOf<T>) => void
}
