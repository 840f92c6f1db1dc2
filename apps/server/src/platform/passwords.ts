import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Checked for unknown emails, so that they take the same time. */
let nobody: Promise<string> | undefined

let running = 0
const waiting: (() => void)[] = []

/** Limits concurrency to the cores: hashing would starve files and DNS, which share the thread pool. */
async function runOneAtATime<T>(work: () => Promise<T>): Promise<T> {
  while (running >= availableParallelism()) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

export async function hashPassword(password: string): Promise<string> {
  return await runOneAtATime(() => hash(password, SETTINGS))
}

export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const against = stored ?? (await nobody)
  const isRight = await runOneAtATime(() => verify(against, password))
  return isRight && typeof stored === 'string'
}
