import { expect, test } from 'vitest'
import { toAsyncGenerator } from './hand-over.ts'

test('gives one after the other, each when the last one is not used any more', async () => {
  const memory = { value: 0 }
  const seen: number[] = []
  const items = toAsyncGenerator<typeof memory>(async (give) => {
    for (memory.value = 1; memory.value <= 3; memory.value += 1) await give(memory)
  })
  for await (const item of items) {
    await Promise.resolve()
    seen.push(item.value)
  }
  expect(seen).toEqual([1, 2, 3])
})

test('tells the reader of a failure behind what was given', async () => {
  const items = toAsyncGenerator<object>(async (give) => {
    await give({})
    throw new Error('broken')
  })
  expect((await items.next()).done).toBe(false)
  await expect(items.next()).rejects.toThrow('broken')
})

test('ends the work when the reader stops, and waits for its end', async () => {
  let state = 'none'
  const items = toAsyncGenerator<object>(async (give) => {
    try {
      for (;;) await give({})
    } finally {
      await Promise.resolve()
      state = 'ended'
    }
  })
  for await (const _ of items) break
  expect(state).toBe('ended')
})
