import type { BlockCard, Canvas } from '../packages/contract/src/dataflows/task-blocks.schemas.ts'

const SIDE = 5
const PER_GROUP = SIDE * SIDE
const KINDS = ['Source', 'Transformation', 'Transformation', 'Transformation', 'Destination'] as const
const STATUSES = ['SUCCESS', 'SUCCESS', 'SUCCESS', 'RUNNING', 'FAILED'] as const
const COLORS = ['blue', 'green', 'yellow', 'orange', 'red', 'purple'] as const

const toCode = (number: number) => `b-${number}`

/** Groups of 25 blocks, each with one or two upstream blocks to its left. */
export function sampleCanvas(dataflow: string, count: number): Canvas {
  const groupCount = Math.ceil(count / PER_GROUP)
  const across = Math.ceil(Math.sqrt(groupCount * 0.7))
  const blocks = Array.from({ length: count }, (_, number): BlockCard => {
    const group = Math.floor(number / PER_GROUP)
    const inside = number % PER_GROUP
    const [column, row] = [Math.floor(inside / SIDE), inside % SIDE]
    const left = number - SIDE
    const waits_for = column === 0 ? [] : [toCode(left), ...(row > 0 && number % 3 === 0 ? [toCode(left - 1)] : [])]
    return {
      task_block_trellis_code: toCode(number),
      dataflow_trellis_code: dataflow,
      name: `Block ${number} of many`,
      kind: KINDS[column] ?? 'Transformation',
      metadata: {
        x: (group % across) * 1760 + column * 336,
        y: Math.floor(group / across) * 800 + row * 128,
        group_trellis_code: `g-${group}`,
        note: '',
      },
      status: STATUSES[number % STATUSES.length] ?? 'SUCCESS',
      platform_trellis_code: null,
      platform_icon: null,
      integration_name: column === 0 ? 'Shop database' : null,
      publish_state: number % 7 === 0 ? 'changed' : 'published',
      faults: [],
      version: 1,
      published_version: 1,
      published_number: 1,
      last_run: {
        task_run_trellis_code: `r-${number}`,
        status: 'SUCCESS',
        waiting_for: null,
        at: new Date(0).toISOString(),
      },
      next_due_at: null,
      updated_at: new Date(0).toISOString(),
      updated_by: null,
      waits_for,
      trigger_scope: waits_for.length > 1 ? 'And' : waits_for.length === 1 ? 'Or' : 'NO_TRIGGER',
      has_schedule: column === 0,
      trigger_in_words: waits_for.length > 0 ? 'After the blocks before it' : 'Every hour',
    }
  })
  const groups = Array.from({ length: groupCount }, (_, number) => ({
    trellis_code: `g-${number}`,
    name: `Pipeline ${number + 1}`,
    color: COLORS[number % COLORS.length] ?? ('gray' as const),
    note: '',
    is_folded: false,
  }))
  return { dataflow_trellis_code: dataflow, name: 'Large', blocks, groups }
}
