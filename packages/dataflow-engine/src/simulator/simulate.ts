import type { OverlapPolicy } from '@trellis/contract/dataflows/dataflow-words'
import { decideOverlap } from '../policies/overlap.ts'
import type { DueTime } from '../schedules/due-times.ts'
import { iterateDueTimes } from '../schedules/due-times.ts'
import type { BranchName, Trigger } from '../triggers/trigger.ts'
import { toActivityBranch, findSchedule, listUpstreamBlocks } from '../triggers/trigger.ts'
import type { Heap } from './heap.ts'
import { createHeap } from './heap.ts'

export interface SimulatedBlock {
  readonly id: string
  readonly trigger: Trigger
  readonly overlap: OverlapPolicy
  readonly expectedMs: number
}

export interface Simulation {
  readonly blocks: readonly SimulatedBlock[]
  readonly from: number
  readonly days?: number
  readonly slots: number
}

type Cause = { readonly due: DueTime } | { readonly run: number }

export interface SimulatedRun {
  readonly blockId: string
  readonly firedAt: number
  readonly startedAt: number
  readonly endedAt: number
  readonly by: readonly Cause[]
  readonly waitedFor: 'nothing' | 'itself' | 'a slot'
}

export interface SimulationResult {
  readonly runs: readonly SimulatedRun[]
  readonly dropped: readonly { readonly blockId: string; readonly at: number; readonly reason: string }[]
  readonly collisions: readonly { readonly at: number; readonly blockIds: readonly string[] }[]
  readonly shifted: readonly { readonly blockId: string; readonly due: DueTime }[]
  readonly mostAtOnce: number
  readonly cutAt: number | null
}

export const SIMULATED_DAYS = 60
export const MAX_SIMULATED_EVENTS = 50_000
/** A success may trigger all blocks of a dataflow. */
const MAX_DELIVERIES = 20 * MAX_SIMULATED_EVENTS
const DAY = 86_400_000

export function simulate(simulation: Simulation): SimulationResult {
  const { from, days = SIMULATED_DAYS } = simulation
  const world = createWorld(simulation, from + days * DAY)
  for (const state of world.states.values()) pushNextDue(world, state)
  for (let count = 0; ; count++) {
    const nextEvent = world.heap.pop()
    if (!nextEvent || nextEvent.at > world.until) return toResult(world, null)
    if (count === MAX_SIMULATED_EVENTS || world.deliveredEvents > MAX_DELIVERIES) return toResult(world, nextEvent.at)
    nextEvent.value(nextEvent.at)
  }
}

interface PendingRun {
  blockId: string
  firedAt: number
  by: readonly Cause[]
  waitedFor: SimulatedRun['waitedFor']
}

interface BlockState {
  readonly block: SimulatedBlock
  readonly followers: BlockState[]
  readonly causesByBranch: ReadonlyMap<BranchName, Cause[]>
  readonly schedule: Generator<DueTime, undefined> | undefined
  filledBranches: number
  active: number
  waiting: PendingRun | null
}

interface World {
  readonly heap: Heap<(at: number) => void>
  readonly states: ReadonlyMap<string, BlockState>
  readonly until: number
  readonly slots: number
  readonly queue: PendingRun[]
  readonly runs: SimulatedRun[]
  readonly dropped: { blockId: string; at: number; reason: string }[]
  readonly shifted: { blockId: string; due: DueTime }[]
  readonly minutes: Map<number, Set<string>>
  active: number
  mostAtOnce: number
  deliveredEvents: number
}

function createWorld({ blocks, from, slots }: Simulation, until: number): World {
  const states = new Map(blocks.map((block) => [block.id, createBlockState(block, from)]))
  for (const state of states.values()) {
    if (state.block.trigger.scope === 'none') continue
    for (const upstreamId of listUpstreamBlocks(state.block.trigger)) states.get(upstreamId)?.followers.push(state)
  }
  const emptyLists = { queue: [], runs: [], dropped: [], shifted: [], minutes: new Map<number, Set<string>>() }
  return { heap: createHeap(), states, until, slots, ...emptyLists, active: 0, mostAtOnce: 0, deliveredEvents: 0 }
}

function createBlockState(block: SimulatedBlock, from: number): BlockState {
  const schedule = block.trigger.scope === 'none' ? undefined : findSchedule(block.trigger)
  return {
    block,
    followers: [],
    causesByBranch: new Map(block.trigger.branches.map(({ name }) => [name, []])),
    schedule: schedule && iterateDueTimes(schedule, from),
    filledBranches: 0,
    active: 0,
    waiting: null,
  }
}

function pushNextDue(world: World, state: BlockState): void {
  const due = state.schedule?.next().value
  if (!due) return
  world.heap.push(due.at, (at) => {
    const { id: blockId } = state.block
    const minute = Math.floor(at / 60_000) * 60_000
    const blocksInMinute = world.minutes.get(minute) ?? new Set()
    world.minutes.set(minute, blocksInMinute.add(blockId))
    if (due.shift) world.shifted.push({ blockId, due })
    pushNextDue(world, state)
    deliverEvent(world, state, { branch: 'schedule', cause: { due }, at })
  })
}

function deliverEvent(world: World, state: BlockState, event: { branch: BranchName; cause: Cause; at: number }): void {
  world.deliveredEvents++
  if (state.block.trigger.scope === 'any') return fireTrigger(world, state, { by: [event.cause], at: event.at })
  const branchCauses = state.causesByBranch.get(event.branch)
  if (branchCauses?.push(event.cause) === 1) state.filledBranches++
  if (state.filledBranches < state.causesByBranch.size) return
  const allBranchCauses = [...state.causesByBranch.values()]
  fireTrigger(world, state, { by: allBranchCauses.flatMap((causes) => causes.splice(0, 1)), at: event.at })
  state.filledBranches = allBranchCauses.filter(({ length }) => length > 0).length
}

function fireTrigger(world: World, state: BlockState, { by, at }: { by: readonly Cause[]; at: number }): void {
  const { id: blockId, overlap } = state.block
  const pending: PendingRun = { blockId, firedAt: at, by, waitedFor: 'nothing' }
  const decision = decideOverlap(overlap, { active: state.active, waiting: state.waiting && blockId })
  if (decision.do === 'start') admitRun(world, state, { pending, at })
  else if (decision.do === 'drop') world.dropped.push({ blockId, at, reason: decision.reason })
  else if (decision.do === 'replace' && state.waiting) {
    world.dropped.push({ blockId, at: state.waiting.firedAt, reason: decision.reason })
    Object.assign(state.waiting, { firedAt: at, by })
  } else state.waiting = { ...pending, waitedFor: 'itself' }
}

function admitRun(world: World, state: BlockState, { pending, at }: { pending: PendingRun; at: number }): void {
  if (world.active < world.slots && world.queue.length === 0) return startRun(world, pending, at)
  if (pending.waitedFor === 'nothing') pending.waitedFor = 'a slot'
  if (state.block.overlap !== 'parallel') state.waiting = pending
  world.queue.push(pending)
}

function startRun(world: World, pending: PendingRun, at: number): void {
  const state = world.states.get(pending.blockId)
  if (!state) return
  if (state.waiting === pending) state.waiting = null
  state.active++
  world.active++
  world.mostAtOnce = Math.max(world.mostAtOnce, world.active)
  const endedAt = at + state.block.expectedMs
  const run = world.runs.push({ ...pending, startedAt: at, endedAt }) - 1
  world.heap.push(endedAt, (now) => endRun(world, state, { run, at: now }))
}

function endRun(world: World, state: BlockState, { run, at }: { run: number; at: number }): void {
  state.active--
  world.active--
  const { waiting } = state
  if (waiting && state.active === 0 && !world.queue.includes(waiting)) admitRun(world, state, { pending: waiting, at })
  while (world.active < world.slots) {
    const next = world.queue.shift()
    if (!next) break
    startRun(world, next, at)
  }
  const branch = toActivityBranch(state.block.id)
  for (const follower of state.followers) deliverEvent(world, follower, { branch, cause: { run }, at })
}

function toResult({ runs, dropped, shifted, minutes, mostAtOnce }: World, cutAt: number | null): SimulationResult {
  const collisions = [...minutes].flatMap(([at, ids]) => (ids.size > 1 ? [{ at, blockIds: [...ids] }] : []))
  return { runs, dropped, collisions, shifted, mostAtOnce, cutAt }
}
