import fc from 'fast-check'
import { expect } from 'vitest'

/** Every line is unique, so that its fate can be checked. */
interface File {
  readonly path: string
  readonly text: string
}
export type Files = ReadonlyMap<string, File>

export interface Branches {
  create(person: number, file: File): Promise<string>
  write(person: number, fileId: string, text: string): Promise<void>
  rename(person: number, fileId: string, path: string): Promise<void>
  remove(person: number, fileId: string): Promise<void>
  restore(person: number, fileId: string, commit: number): Promise<void>
  pull(person: number): Promise<void>
  push(person: number): Promise<boolean>
  resolve(person: number, fileId: string, keep: { side: 'mine' | 'theirs' } | { merged: string }): Promise<void>
  read(person: number): Promise<Files>
  readConflicts(person: number): Promise<ReadonlySet<string>>
  readLive(): Promise<Files>
}

const PEOPLE = 2
const ORDERS = [
  'create',
  'add',
  'add',
  'add',
  'drop',
  'rename',
  'remove',
  'restore',
  'pull',
  'pull',
  'push',
  'push',
  'resolve',
] as const
export interface Order {
  readonly person: number
  readonly kind: (typeof ORDERS)[number]
  readonly which: number
  readonly where: number
}
const BEGINNING: readonly Order[] = [
  { person: 0, kind: 'create', which: 0, where: 0 },
  { person: 0, kind: 'add', which: 0, where: 1 },
  { person: 0, kind: 'add', which: 0, where: 2 },
  { person: 0, kind: 'add', which: 0, where: 3 },
  { person: 0, kind: 'push', which: 0, where: 0 },
  { person: 1, kind: 'pull', which: 0, where: 0 },
]

export const someOrders = (maxLength: number): fc.Arbitrary<Order[]> =>
  fc
    .array(
      fc.record({
        person: fc.nat(PEOPLE - 1),
        kind: fc.constantFrom(...ORDERS),
        which: fc.nat(20),
        where: fc.nat(100),
      }),
      { minLength: 5, maxLength },
    )
    .map((orders) => [...BEGINNING, ...orders])

interface Person {
  base: Files
  baseCommit: number
  working: Map<string, File>
  conflicts: Map<string, File | undefined>
}

const toLines = (text: string) => text.split('\n').filter((line) => line !== '')
const isSame = (left: File | undefined, right: File | undefined) =>
  left?.path === right?.path && left?.text === right?.text
const choose = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(items.length, 1)]

interface World {
  readonly branches: Branches
  readonly people: readonly Person[]
  readonly commits: Files[]
  readonly written: Set<string>
  /** All other lines must still exist somewhere. */
  readonly dropped: Set<string>
  number: number
}
interface Step extends Order {
  readonly me: Person
  readonly live: Files
}

/** Runs each step on the real branches and on a model, and compares. */
export async function followOrders(
  branches: Branches,
  orders: readonly Order[],
): Promise<Pick<World, 'commits' | 'written' | 'dropped'>> {
  const people = Array.from({ length: PEOPLE }, () => ({
    base: new Map(),
    baseCommit: 0,
    working: new Map(),
    conflicts: new Map(),
  }))
  const world: World = { branches, people, commits: [new Map()], written: new Set(), dropped: new Set(), number: 0 }
  for (const order of orders) {
    world.number += 1
    await STEPS[order.kind](world, {
      ...order,
      me: people[order.person] as Person,
      live: world.commits.at(-1) as Files,
    })
    await compare(world)
  }
  return world
}

async function compare({ branches, people, commits }: World): Promise<void> {
  for (const [at, { working, conflicts }] of people.entries()) {
    expect(toObject(await branches.read(at))).toEqual(toObject(working))
    expect([...(await branches.readConflicts(at))].toSorted()).toEqual([...conflicts.keys()].toSorted())
  }
  expect(toObject(await branches.readLive())).toEqual(toObject(commits.at(-1) as Files))
}

const STEPS: Record<Order['kind'], (world: World, step: Step) => Promise<void>> = {
  create: async ({ branches, written, number }, { person, me }) => {
    const made = { path: `file ${number}.sql`, text: `first ${number}\n` }
    written.add(`first ${number}`)
    me.working.set(await branches.create(person, made), made)
  },
  add: (world, step) =>
    editLines(world, step, (lines) => {
      lines.splice(step.where % (lines.length + 1), 0, `line ${world.number}`)
      world.written.add(`line ${world.number}`)
    }),
  drop: (world, step) =>
    editLines(world, step, (lines) => {
      for (const line of lines.splice(step.where % (lines.length + 1), 1)) world.dropped.add(line)
    }),
  rename: async ({ branches, number }, step) => {
    const [fileId, file] = chooseFile(step)
    if (!file) return
    const path = `renamed ${number}.sql`
    await branches.rename(step.person, fileId, path)
    step.me.working.set(fileId, { ...file, path })
  },
  remove: async ({ branches }, step) => {
    const [fileId, file] = chooseFile(step)
    if (!file) return
    await branches.remove(step.person, fileId)
    step.me.working.delete(fileId)
  },
  restore: async ({ branches, commits }, { person, me, which, where }) => {
    const version = where % commits.length
    const [fileId, oldFile] = choose([...(commits[version] ?? [])].toSorted(), which) ?? []
    if (fileId === undefined || !oldFile) return
    const isTaken = [...me.working].some(([id, other]) => id !== fileId && other.path === oldFile.path)
    if (isTaken) return
    await branches.restore(person, fileId, version)
    me.working.set(fileId, { path: me.working.get(fileId)?.path ?? oldFile.path, text: oldFile.text })
  },
  pull: async ({ branches, commits }, { person, me, live }) =>
    await pull(branches, person, { me, live, commit: commits.length - 1 }),
  push: async ({ branches, commits }, { person, me }) => {
    const isBehind = me.baseCommit !== commits.length - 1
    const isAllowed = !isBehind && me.conflicts.size === 0 && !isSameTree(me.base, me.working)
    expect(await branches.push(person)).toBe(isAllowed)
    if (!isAllowed) return
    commits.push(new Map(me.working))
    me.base = new Map(me.working)
    me.baseCommit = commits.length - 1
  },
  resolve: async ({ branches }, { person, me, which, where }) => await resolve(branches, person, { me, which, where }),
}

function chooseFile({ me, which }: Step): [fileId: string, file: File | undefined] {
  const fileId = choose([...me.working.keys()].toSorted(), which) ?? ''
  return [fileId, me.working.get(fileId)]
}

async function editLines({ branches }: World, step: Step, edit: (lines: string[]) => void): Promise<void> {
  const [fileId, file] = chooseFile(step)
  if (!file) return
  const lines = toLines(file.text)
  edit(lines)
  const text = lines.map((line) => `${line}\n`).join('')
  await branches.write(step.person, fileId, text)
  step.me.working.set(fileId, { ...file, text })
}

const toObject = (files: Files) => Object.fromEntries([...files].toSorted(([left], [right]) => (left < right ? -1 : 1)))
const isSameTree = (left: Files, right: Files) =>
  left.size === right.size && [...left].every(([id, file]) => isSame(file, right.get(id)))

/** The order of merged lines is not prescribed, only which exist. */
async function pull(
  branches: Branches,
  person: number,
  { me, live, commit }: { me: Person; live: Files; commit: number },
): Promise<void> {
  await branches.pull(person)
  if (me.conflicts.size > 0) return
  const after = await branches.read(person)
  const conflicts = await branches.readConflicts(person)
  for (const fileId of new Set([...me.base.keys(), ...me.working.keys(), ...live.keys()])) {
    const [base, mine, theirs] = [me.base.get(fileId), me.working.get(fileId), live.get(fileId)]
    if (isSame(mine, base)) set(me.working, fileId, theirs)
    else if (conflicts.has(fileId)) {
      expect(isSame(theirs, base), 'a conflict needs a change of both').toBe(false)
      me.conflicts.set(fileId, theirs)
    } else if (!isSame(theirs, base))
      set(me.working, fileId, checkMerged({ base, mine, theirs, after: after.get(fileId) }))
  }
  me.base = new Map(live)
  me.baseCommit = commit
}

function set(files: Map<string, File>, fileId: string, file: File | undefined): void {
  if (file) files.set(fileId, file)
  else files.delete(fileId)
}

type Sides = Record<'base' | 'mine' | 'theirs' | 'after', File | undefined>

function checkMerged({ base, mine, theirs, after }: Sides): File | undefined {
  if (!mine && !theirs) return undefined
  if (!mine || !theirs) throw new Error('deleted here and changed there is a conflict')
  const path = mine.path === base?.path ? theirs.path : mine.path
  const isMovedByBoth = mine.path !== base?.path && theirs.path !== base?.path && mine.path !== theirs.path
  expect(isMovedByBoth, 'two new names for one file are a conflict').toBe(false)
  const oldLines = new Set(toLines(base?.text ?? ''))
  const ours = new Set(toLines(mine.text))
  const others = new Set(toLines(theirs.text))
  const kept = [...new Set([...ours, ...others])].filter(
    (line) => !oldLines.has(line) || (ours.has(line) && others.has(line)),
  )
  expect(toLines(after?.text ?? '').toSorted()).toEqual(kept.toSorted())
  expect(after?.path).toBe(path)
  return after
}

async function resolve(
  branches: Branches,
  person: number,
  { me, which, where }: { me: Person; which: number; where: number },
): Promise<void> {
  const fileId = choose([...me.conflicts.keys()].toSorted(), which)
  if (fileId === undefined) return
  const [mine, theirs] = [me.working.get(fileId), me.conflicts.get(fileId)]
  const way = mine && theirs ? where % 3 : where % 2
  if (way === 2 && mine && theirs) {
    const text = [...new Set([...toLines(mine.text), ...toLines(theirs.text)])].map((line) => `${line}\n`).join('')
    await branches.resolve(person, fileId, { merged: text })
    me.working.set(fileId, { ...mine, text })
  } else {
    await branches.resolve(person, fileId, { side: way === 0 ? 'mine' : 'theirs' })
    if (way === 1) set(me.working, fileId, theirs)
  }
  me.conflicts.delete(fileId)
}
