import type { Databases } from './patient-pools.ts'

const one = (table: string) => `(select ctid from ${table} limit 1)`

/** Corruptions that the checks must detect. */
const SPOILS = {
  lost: { story: 'append_0', text: (table: string) => `delete from ${table} where ctid = ${one(table)}` },
  doubled: { story: 'append_0', text: (table: string) => `insert into ${table} select * from ${table} limit 1` },
  torn: { story: 'replace_0', text: (table: string) => `update ${table} set version = 0 where ctid = ${one(table)}` },
}
export type Spoil = keyof typeof SPOILS

export function isSpoil(name: string | undefined): name is Spoil {
  if (name === undefined || Object.hasOwn(SPOILS, name)) return name !== undefined
  throw new Error(`Data can be ${Object.keys(SPOILS).join(', ')}, not ${name}.`)
}

const AFTER_RUNS = 2

export async function spoil(world: Databases, how: Spoil, at: { story: string; runs: number }): Promise<void> {
  const { story, text } = SPOILS[how]
  if (at.story !== story || at.runs !== AFTER_RUNS) return
  await world.data(text(`data.to_${story}`))
  console.log(`A row of to_${story} is ${how} now.`)
}
