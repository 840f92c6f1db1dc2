import { expect, test } from 'vitest'
import { createDataflows } from '../../../testing/dataflows/fake-dataflows.ts'
import { fakeRun } from '../../../testing/dataflows/fake-runs.ts'
import { BLOCK, liveLayout, runsNow } from './live-layout.ts'

const cards = createDataflows().blocks.map((block, at) => ({
  ...block,
  waits_for: at === 2 ? ['b-orders', 'b-gone'] : [],
  trigger_scope: 'Or' as const,
  trigger_in_words: '',
  metadata: { ...block.metadata, x: block.metadata.x - 500, group_trellis_code: at < 2 ? 'g' : null },
}))

test('the picture begins at its corner and holds everything', () => {
  const groups = [{ trellis_code: 'g', name: 'In', color: 'gray' as const, note: '', is_folded: false }]
  const layout = liveLayout({ blocks: cards as never, groups })
  const boxes = [...layout.blocks.map(({ x, y }) => ({ x, y, ...BLOCK })), ...layout.groups]
  expect(Math.min(...boxes.map(({ x }) => x))).toBeGreaterThanOrEqual(0)
  expect(Math.max(...boxes.map(({ x, width }) => x + width))).toBeLessThanOrEqual(layout.width)
  expect(Math.max(...boxes.map(({ y, height }) => y + height))).toBeLessThanOrEqual(layout.height)
  expect(layout.arrows.map(({ key }) => key)).toEqual(['b-orders>b-clean'])
  expect(liveLayout({ blocks: [], groups })).toMatchObject({ width: 0, blocks: [] })
})

test('a run that goes on is shown before one that waits', () => {
  const going = fakeRun('going', { due_at: '2026-11-15T06:00:00Z', status: 'RUNNING', finished_at: null })
  const waiting = { ...going, task_run_trellis_code: 'waiting', due_at: '2026-11-15T07:00:00Z', started_at: null }
  const over = fakeRun('over', { due_at: '2026-11-15T05:00:00Z' })
  const shown = (...runs: (typeof going)[]) => runsNow(runs).get('b-orders')?.task_run_trellis_code
  expect([shown(waiting, going, over), shown(over, going), shown(over)]).toEqual(['going', 'going', 'over'])
})
