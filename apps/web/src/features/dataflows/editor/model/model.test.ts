import { connectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { NO_TRIGGER, usedActivities } from '@trellis/contract/dataflows/triggers'
import { describe, expect, it } from 'vitest'
import { describeChange, invertChange, type Change } from './changes.ts'
import { parseClip, clipText, copyName, pastePlan, withNewArrows, type ClipBlock } from './clip.ts'
import { firstView, freePlace, groupBox, NODE_HEIGHT, viewportFor } from './geometry.ts'
import { dropStep, getNextStep, NO_HISTORY, pushStep, moveStep, withNewCode } from './history.ts'
import { readingOrder, findStepFrom, wouldCreateCycle } from './order.ts'
import { upstreamFirst } from '../../../../running/flow-order.ts'

const at = (id: string, x: number, y: number) => ({ id, x, y })
const waiting = (task_block_trellis_code: string, ...waits_for: string[]) => ({ task_block_trellis_code, waits_for })

describe('reading order', () => {
  it('goes row by row, and what stands almost level is one row', () => {
    expect(readingOrder([at('d', 0, 200), at('b', 300, -10), at('a', 0, 0), at('c', 600, 20)])).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
  })
  it('leaves the canvas past its ends', () => {
    const order = ['a', 'b', 'c']
    expect([findStepFrom(order, null, 1), findStepFrom(order, null, -1)]).toEqual(['a', 'c'])
    expect([findStepFrom(order, 'a', 1), findStepFrom(order, 'b', -1)]).toEqual(['b', 'a'])
    expect([findStepFrom(order, 'c', 1), findStepFrom(order, 'a', -1)]).toEqual([undefined, undefined])
    expect(findStepFrom(order, 'gone', 1)).toBe('a')
  })
})

describe('circles', () => {
  const blocks = [waiting('a'), waiting('b', 'a'), waiting('c', 'b')]
  it('are seen before they are asked for', () => {
    expect(wouldCreateCycle(blocks, 'c', 'a')).toBe(true)
    expect(wouldCreateCycle(blocks, 'a', 'a')).toBe(true)
    expect(wouldCreateCycle(blocks, 'a', 'c')).toBe(false)
  })
  it('do not keep the sorting from ending', () => {
    const codes = (list: ReturnType<typeof waiting>[]) =>
      upstreamFirst(list).map(({ task_block_trellis_code }) => task_block_trellis_code)
    expect(codes(blocks.toReversed())).toEqual(['a', 'b', 'c'])
    expect(codes([waiting('x', 'y'), waiting('y', 'x'), waiting('z')])).toEqual(['z', 'x', 'y'])
  })
})

describe('places', () => {
  it('of new blocks cover none', () => {
    expect(freePlace([], { x: 7, y: 9 })).toEqual({ x: 0, y: 16 })
    const place = freePlace([{ x: 0, y: 0 }], { x: 0, y: 0 })
    expect(place.y).toBeGreaterThanOrEqual(NODE_HEIGHT)
  })
  it('of groups go around their blocks', () => {
    expect(groupBox([])).toBeNull()
    const box = groupBox([
      { x: 0, y: 0 },
      { x: 400, y: 200 },
    ])
    expect(box).toMatchObject({ x: -24, y: -40, width: 688 })
  })
  it('of the view show everything', () => {
    const view = viewportFor({ x: 100, y: 0, width: 2000, height: 500 }, { width: 1048, height: 600 })
    expect(view.zoom).toBeCloseTo(0.476)
    expect(view.x + 100 * view.zoom).toBeCloseTo(48)
    expect(viewportFor(null, { width: 100, height: 100 }).zoom).toBe(1)
    const wide = { x: 100, y: 0, width: 2000, height: 500 }
    expect(firstView(wide, { width: 1048, height: 600 })).toEqual(view)
    expect(firstView(wide, { width: 390, height: 600 }), 'names can be read on a phone').toEqual({
      x: 16 - 60,
      y: 150,
      zoom: 0.6,
    })
  })
})

const move = (from: number, to: number): Change => ({
  kind: 'place',
  from: { a: { x: from } },
  to: { a: { x: to } },
})

describe('history', () => {
  it('takes a key held down back in one step', () => {
    const step = (from: number, to: number, burst: string): Change => ({ ...move(from, to), burst }) as Change
    const held = [step(0, 1, 'a'), step(1, 2, 'a'), step(2, 3, 'a'), step(3, 4, 'b')].reduce(pushStep, NO_HISTORY)
    expect(held.past).toEqual([step(0, 3, 'a'), step(3, 4, 'b')])
    expect(pushStep(held, move(4, 5)).past).toHaveLength(3)
  })
  const two = pushStep(pushStep(NO_HISTORY, move(0, 1)), move(1, 2))
  it('goes back and forth', () => {
    expect(getNextStep(two, 'undo')).toEqual(move(2, 1))
    expect(getNextStep(two, 'redo')).toBeUndefined()
    const back = moveStep(two, 'undo', move(2, 1))
    expect(getNextStep(back, 'redo')).toEqual(move(1, 2))
    expect(getNextStep(back, 'undo')).toEqual(move(1, 0))
    expect(moveStep(back, 'redo', move(1, 2))).toEqual(two)
  })
  it('forgets what was taken back when something new is done', () => {
    const back = moveStep(two, 'undo', move(2, 1))
    expect(pushStep(back, move(1, 9)).future).toEqual([])
  })
  it('forgets a step that can not be carried out', () => {
    expect(dropStep(two, 'undo').past).toEqual([move(0, 1)])
  })
  it('keeps what a step has found out', () => {
    const lost = [{ code: 'b', kind: 'Source' as const, before: NO_TRIGGER }]
    const createdChange: Change = { kind: 'exist', blocks: [{ code: 'a', kind: 'Source' }], isThere: false, lost }
    const history = moveStep(pushStep(NO_HISTORY, invertChange(createdChange)), 'undo', createdChange)
    expect(getNextStep(history, 'redo')).toEqual(invertChange(createdChange))
  })
  it('follows a new code everywhere', () => {
    const history = pushStep(two, { kind: 'group', from: null, to: { group: group('g'), members: ['a', 'b'] } })
    const text = JSON.stringify(withNewCode(withNewCode(history, 'a', 'z'), 'g', 'h'))
    expect(text).not.toMatch(/"a"|"g"/)
    expect(text).toContain('"z":{"x":1}')
  })
  it('says what it would take back', () => {
    expect(describeChange(move(0, 1))).toBe('moving 1 block')
    expect(describeChange({ kind: 'several', changes: [move(0, 1)] })).toBe('moving 1 block')
    expect(invertChange({ kind: 'several', changes: [move(0, 1), move(1, 2)] })).toEqual({
      kind: 'several',
      changes: [move(2, 1), move(1, 0)],
    })
  })
})

const group = (trellis_code: string) => ({
  trellis_code,
  name: 'G',
  color: 'gray' as const,
  note: '',
  is_folded: false,
})

describe('copies', () => {
  const block = (code: string, ...waits: string[]): ClipBlock => ({
    code,
    kind: 'Source',
    name: code.toUpperCase(),
    x: 100,
    y: 200,
    note: '',
    settings: {
      trigger: waits.reduce((form, from) => connectActivity(form, from, `id-${from}`), NO_TRIGGER),
      integration_trellis_code: 'i-1',
      subtasks: [{ name: 'x' }],
    },
  })
  const clip = parseClip(
    clipText({ workspace: 'acme/growth', dataflow: 'd-1', blocks: [block('b', 'a', 'far'), block('a')] }),
  )
  const here = { workspace: 'acme/growth', dataflow: 'd-1', names: ['A'], codes: ['far'] }

  it('travel as text, and other text is not taken for them', () => {
    expect(clip?.blocks).toHaveLength(2)
    expect(parseClip('hello')).toBeNull()
    expect(parseClip('{"what":"trellis/blocks"')).toBeNull()
    expect(parseClip('{"what":"trellis/blocks","version":1,"blocks":[]}')).toBeNull()
  })
  it('are made upstream first, beside the originals and with names of their own', () => {
    const plan = pastePlan(clip!, here)
    expect(plan.map(({ name }) => name)).toEqual(['A copy', 'B'])
    expect(plan[0]?.point).toEqual({ x: 144, y: 256 })
    expect(usedActivities(plan[1]!.settings.trigger)).toEqual(['a', 'far'])
    expect(plan[1]?.settings).toMatchObject({ subtasks: [{ name: 'x' }], integration_trellis_code: 'i-1' })
  })
  it('in another dataflow lose arrows from outside, in another workspace their connection', () => {
    const other = pastePlan(clip!, { ...here, dataflow: 'd-2', point: { x: 0, y: 0 } })
    expect(usedActivities(other[1]!.settings.trigger)).toEqual(['a'])
    expect(other[0]?.point).toEqual({ x: 0, y: 0 })
    expect(other[0]?.settings.integration_trellis_code).toBe('i-1')
    const far = pastePlan(clip!, { ...here, workspace: 'acme/other' })
    expect(far[0]?.settings.integration_trellis_code).toBeNull()
  })
  it('point to each other', () => {
    const trigger = withNewArrows(block('b', 'a', 'far').settings.trigger, new Map([['a', 'a2']]))
    expect(usedActivities(trigger)).toEqual(['a2', 'far'])
  })
  it('count up in their names', () => {
    expect(copyName('Orders', new Set(['Orders', 'Orders copy']))).toBe('Orders copy 2')
    expect(copyName('Orders copy 2', new Set(['Orders copy 2', 'Orders copy']))).toBe('Orders copy 3')
  })
})
