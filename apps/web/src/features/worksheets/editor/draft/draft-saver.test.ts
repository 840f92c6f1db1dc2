import { describe, expect, test } from 'vitest'
import { createDraftSaver, type SaveState } from './draft-saver.ts'

class Conflict extends Error {}

function createServer() {
  const file = { content: 'select 1', version: '1' }
  const states: SaveState[] = []
  const remembered: (string | null)[] = []
  const texts: string[] = []
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
    onText: (content) => texts.push(content),
    remember: (content) => remembered.push(content),
    wait: async () => await Promise.resolve(),
    pause: { note: () => undefined, wait: async () => await Promise.resolve() },
  })
  return { file, states, remembered, texts, saver, failNext: (count: number) => (failures = count) }
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

  test('reads what is typed once for several keys, and before it is flushed', async () => {
    const { file, saver, states, texts, remembered } = createServer()
    let reads = 0
    for (const text of ['select 2', 'select 23', 'select 234']) {
      saver.type(() => {
        reads += 1
        return text
      })
    }
    expect(reads).toBe(0)
    expect(states.at(-1)).toBe('unsaved')
    await saver.flush()
    expect([reads, texts, file.content]).toEqual([1, ['select 234'], 'select 234'])
    expect(states.at(-1)).toBe('saved')
    saver.type(() => 'select 5')
    await expect.poll(() => file.content).toBe('select 5')
    await expect.poll(() => states.at(-1)).toBe('saved')
    expect(remembered.at(-1)).toBeNull()
  })

  test('what was typed can be looked at before it is read, until it is', async () => {
    const { saver, texts } = createServer()
    expect(saver.peekTyped()).toBeUndefined()
    saver.type(() => 'select 2')
    expect([saver.peekTyped(), texts]).toEqual(['select 2', []])
    await saver.flush()
    expect([saver.peekTyped(), texts]).toEqual([undefined, ['select 2']])
  })

  test('a text that was typed and taken back is saved already', async () => {
    const { file, saver, states } = createServer()
    saver.type(() => 'select 1')
    expect(states).toEqual(['unsaved'])
    await expect.poll(() => states.at(-1)).toBe('saved')
    expect(file.version).toBe('1')
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
