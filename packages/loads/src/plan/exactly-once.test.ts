import type { WriteStrategy } from '@trellis/contract/dataflows/dataflow-words'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FenceDecision, LoadState } from './fence.ts'
import { decideFence } from './fence.ts'
import type { LoadPhase, LoadStep } from './load-plan.ts'
import { planLoad } from './load-plan.ts'

/** Executes plans on an in-memory database: the guarantee depends on plan and fence, not on Postgres. */
interface Row {
  id: number
  version: number
}
interface Database {
  table: Row[]
  stage: Row[]
  beside: Row[] | null
  load: LoadState | undefined
  cursor: number
}
interface World {
  source: readonly Row[]
  committed: Database
}

const CHUNK = 3
class Crash extends Error {}
class Stop extends Error {}

function createPlan(strategy: WriteStrategy): readonly LoadPhase[] {
  const wanted = {
    columns: (['id', 'version'] as const).map((name) => ({ field: name, name, type: 'integer' as const })),
    primaryKey: strategy === 'Upsert' ? ['id'] : [],
    indexes: [],
    newestBy: strategy === 'Upsert' ? 'version' : null,
  }
  const plan = planLoad({ strategy, wanted, existing: null, policy: 'evolve' })
  if (plan.do !== 'load') throw new Error('no plan')
  return plan.phases
}

const newest = (rows: readonly Row[]): Row[] => {
  const kept = new Map<number, Row>()
  for (const row of rows) if (row.version >= (kept.get(row.id)?.version ?? -1)) kept.set(row.id, row)
  return [...kept.values()]
}

/** Read before the transaction that writes it. */
interface Chunk {
  rows: readonly Row[]
  end: number
}

function apply(step: LoadStep, db: Database, { rows, end }: Chunk): void {
  switch (step.do) {
    case 'fill':
      if (step.into === 'stage') db.stage.push(...rows)
      else db.beside?.push(...rows)
      return
    case 'create_beside':
      db.beside ??= []
      return
    case 'dedupe':
      db.stage = newest(db.stage)
      return
    case 'append':
      db.table.push(...db.stage)
      return
    case 'merge':
      db.table = newest([...db.table, ...db.stage])
      return
    case 'create_stage':
    case 'empty_stage':
    case 'drop_stage':
      db.stage = []
      return
    case 'keep_cursor':
      db.cursor = end
      return
    case 'swap':
      db.table = db.beside ?? []
      db.beside = null
      return
    case 'receipt':
      if (db.load) db.load = { ...db.load, isDone: step.isDone }
      return
    default:
  }
}

interface Worker {
  epoch: number
  /** Steps until the crash; negative: never. */
  crashAt: number
}

/** Commits the copy or discards it. */
function transact(world: World, phase: LoadPhase, [worker, chunk]: [Worker, Chunk]): FenceDecision['do'] {
  const db = structuredClone(world.committed)
  for (const step of phase.steps) {
    if (worker.crashAt-- === 0) throw new Crash()
    if (step.do === 'check_fence') {
      const fence = decideFence(db.load, worker.epoch)
      if (fence.do === 'stop') throw new Stop()
      if (fence.do === 'finished') return 'finished'
      db.load = { epoch: worker.epoch, isDone: false }
    } else apply(step, db, chunk)
  }
  world.committed = db
  // May crash between the commit and its acknowledgement.
  if (worker.crashAt-- === 0) throw new Crash()
  return 'write'
}

/** Other workers may run at every yield. */
function* attempt(world: World, phases: readonly LoadPhase[], worker: Worker) {
  const nothing = { rows: [], end: 0 }
  let position = 0
  for (const phase of phases) {
    if (phase.name !== 'chunk') {
      if (transact(world, phase, [worker, nothing]) === 'finished') return
      position = world.committed.cursor
      yield
      continue
    }
    while (position < world.source.length) {
      const rows = world.source.slice(position, position + CHUNK)
      yield
      position += rows.length
      if (transact(world, phase, [worker, { rows, end: position }]) === 'finished') return
    }
  }
}

const rows = fc.array(fc.record({ id: fc.integer({ min: 0, max: 6 }), version: fc.nat({ max: 9 }) }), { maxLength: 12 })
const sorted = (given: readonly Row[]) => given.map(({ id, version }) => `${id}:${version}`).toSorted()

test.each(['Append', 'Replace', 'Upsert'] as const)('%s: nothing lost, nothing doubled, nothing torn', (strategy) => {
  const phases = createPlan(strategy)
  fc.assert(
    fc.property(
      rows,
      rows,
      fc.array(fc.nat({ max: 30 }), { maxLength: 8 }),
      fc.infiniteStream(fc.boolean()),
      (...[before, source, crashes, coin]) => {
        const start = strategy === 'Upsert' ? newest(before) : before
        const world: World = {
          source,
          committed: { table: start, stage: [], beside: null, load: undefined, cursor: 0 },
        }
        const expected = { Append: [...start, ...source], Replace: source, Upsert: newest([...start, ...source]) }[
          strategy
        ]
        const zombies: Generator<undefined, void>[] = []
        const look = () => {
          const table = sorted(world.committed.table).join(' ')
          const states = [start, expected].map((state) => sorted(state).join(' '))
          if (strategy === 'Replace') expect(states).toContain(table)
        }
        const step = (state: Generator<undefined, void>): boolean => {
          try {
            return state.next().done === true
          } catch (error) {
            if (error instanceof Crash || error instanceof Stop) return true
            throw error
          } finally {
            look()
          }
        }
        let epoch = 0
        for (const crashAt of [...crashes, -1]) {
          const worker = attempt(world, phases, { epoch: ++epoch, crashAt })
          // A zombie: presumed dead, but still writing.
          if (crashAt !== -1 && coin.next().value) {
            step(worker)
            zombies.push(worker)
            continue
          }
          while (!step(worker)) for (const zombie of zombies) if (coin.next().value) step(zombie)
        }
        for (const zombie of zombies) while (!step(zombie));
        expect(world.committed.load?.isDone).toBe(true)
        expect(sorted(world.committed.table)).toEqual(sorted(expected))
      },
    ),
    { numRuns: 400 },
  )
})
