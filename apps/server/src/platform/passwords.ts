import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

/** Argon2id, the library's default kind. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash nobody's password has; checking against it costs an unknown e-mail the same time as a known one. */
let nobody: Promise<string> | undefined

let running = 0
const waiting: (() => void)[] = []

/** Hashing fills the small thread pool that files and DNS share, so no more run at once than there are cores. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
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
  return await inTurn(() => hash(password, SETTINGS))
}

export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const against = stored ?? (await nobody)
  const isRight = await inTurn(() => verify(against, password))
  return isRight && typeof stored === 'string'
}
