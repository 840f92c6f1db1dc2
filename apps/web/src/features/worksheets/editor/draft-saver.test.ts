import { describe, expect, test } from 'vitest'
import { createDraftSaver, type SaveState } from './draft-saver.ts'

class Conflict extends Error {}

function createServer() {
  const file = { content: 'select 1', version: '1' }
  const states: SaveState[] = []
  const remembered: (string | null)[] = []
  let failures = 0
  const saver = createDraftSaver(file, {
    save: async ({ content, version }) => {
      if (failures > 0) {
        failures -= 1
        throw new Error('offline')
      }
      if (version !== file.version) throw new Conflict()
      file.content = content
      file.version = String(Number(version) + 1)
      return { ...file } as never
    },
    isConflict: (error) => error instanceof Conflict,
    onState: (state) => states.push(state),
    remember: (content) => remembered.push(content),
    wait: async () => await Promise.resolve(),
  })
  return { file, states, remembered, saver, failNext: (count: number) => (failures = count) }
}

describe('createDraftSaver', () => {
  test('saves the latest text, one save on top of the other', async () => {
    const { file, saver, states, remembered } = createServer()
    saver.change('select 2')
    saver.change('select 3')
    await saver.flush()
    expect(file.content).toBe('select 3')
    expect(states.at(-1)).toBe('saved')
    expect(remembered.at(-1)).toBeNull()
  })

  test('tries again after a failure and keeps the text in the browser meanwhile', async () => {
    const { file, saver, states, remembered, failNext } = createServer()
    failNext(2)
    saver.change('select 2')
    await expect.poll(() => states.at(-1)).toBe('saved')
    expect(states).toContain('offline')
    expect(remembered[0]).toBe('select 2')
    expect(file.content).toBe('select 2')
  })

  test('goes on behind a version that was published meanwhile', async () => {
    const { file, saver, states } = createServer()
    saver.change('select 2')
    await saver.flush()
    file.version = '9'
    saver.adopt(file)
    saver.change('select 3')
    await saver.flush()
    expect(file.content).toBe('select 3')
    expect(states).not.toContain('conflict')
  })

  test('stops at a conflict: nothing is overwritten, and the text stays in the browser', async () => {
    const { file, saver, states, remembered } = createServer()
    file.version = '9'
    file.content = 'from another tab'
    saver.change('mine')
    await saver.flush()
    saver.change('mine, longer')
    await saver.flush()
    expect(file.content).toBe('from another tab')
    expect(states.at(-1)).toBe('conflict')
    expect(remembered.at(-1)).toBe('mine, longer')
  })
})
