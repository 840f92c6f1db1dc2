import { expect, test } from 'vitest'
import { createFairTurns } from './fair-turns.ts'

const LONG_MS = 600_000

function follow(turns: ReturnType<typeof createFairTurns>) {
  const admitted: string[] = []
  const leaving: (() => void)[] = []
  return {
    admitted,
    ask: (key: string, name = key) =>
      void turns.take(key).then((leave) => {
        admitted.push(name)
        leaving.push(leave)
      }),
    leaveOne: () => leaving.shift()?.(),
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

test('a crowd never takes every place', async () => {
  const { admitted, ask, settle } = follow(createFairTurns({ total: 4, perKey: 3, waitMs: LONG_MS }))
  for (let call = 0; call < 10; call += 1) ask('crowd')
  ask('calm')
  await settle()
  expect(admitted).toEqual(['crowd', 'crowd', 'crowd', 'calm'])
})

test('the next place goes to whoever has the fewest, and those with the same take turns', async () => {
  const { admitted, ask, leaveOne, settle } = follow(createFairTurns({ total: 2, perKey: 2, waitMs: LONG_MS }))
  for (let call = 1; call <= 4; call += 1) ask('a', `a${call}`)
  for (let call = 1; call <= 2; call += 1) ask('b', `b${call}`)
  for (let call = 1; call <= 2; call += 1) ask('c', `c${call}`)
  for (let call = 0; call < 8; call += 1) {
    await settle()
    leaveOne()
  }
  await settle()
  expect(admitted).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'c2'])
})

test('whoever waits too long is refused and takes no place', async () => {
  const turns = createFairTurns({ total: 1, perKey: 1, waitMs: 1 })
  const leave = await turns.take('a')
  await expect(turns.take('b')).rejects.toMatchObject({
    code: '53300',
    message: expect.stringContaining('no free connection'),
  })
  leave()
  leave()
  const again = await turns.take('b')
  again()
  await expect(turns.take('a')).resolves.toBeTypeOf('function')
})
