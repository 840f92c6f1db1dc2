import { describe, expect, it } from 'vitest'
import { createGate } from './gate.ts'

const limits = { perWorkspace: 2, total: 3, waiting: 2, waitMs: 10_000 }

describe('gate', () => {
  it('lets in as many as allowed, queues the next and turns away the rest', async () => {
    const gate = createGate(limits)
    const first = await gate.enter('a')
    await gate.enter('a')
    const order: string[] = []
    const third = gate.enter('a').then((leave) => (order.push('third'), leave))
    const fourth = gate.enter('a').then((leave) => (order.push('fourth'), leave))
    await expect(gate.enter('a')).rejects.toMatchObject({ code: 'busy' })
    first()
    const leaveThird = await third
    expect(order).toEqual(['third'])
    leaveThird()
    await fourth
    expect(order).toEqual(['third', 'fourth'])
  })

  it('keeps room for neighbours while one workspace waits', async () => {
    const gate = createGate(limits)
    await gate.enter('a')
    await gate.enter('a')
    const waiting = gate.enter('a')
    const neighbour = await gate.enter('b')
    const isLetIn = await Promise.race([
      waiting.then(() => true),
      new Promise((resolve) => setImmediate(resolve, false)),
    ])
    expect(isLetIn).toBe(false)
    neighbour()
  })

  it('holds the total over all workspaces', async () => {
    const gate = createGate(limits)
    const first = await gate.enter('a')
    await gate.enter('b')
    await gate.enter('c')
    const fourth = gate.enter('d')
    first()
    await fourth
  })

  it('counts leaving twice as once', async () => {
    const gate = createGate({ ...limits, perWorkspace: 1, waiting: 0 })
    const leave = await gate.enter('a')
    leave()
    leave()
    await gate.enter('a')
    await expect(gate.enter('a')).rejects.toMatchObject({ code: 'busy' })
  })

  it('stops waiting after the longest wait or when the caller gives up', async () => {
    const gate = createGate({ ...limits, perWorkspace: 1, waitMs: 20 })
    await gate.enter('a')
    await expect(gate.enter('a')).rejects.toMatchObject({ code: 'busy' })
    const controller = new AbortController()
    const waiting = createGateFull(controller.signal)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    await expect(gate.enter('a', controller.signal)).rejects.toMatchObject({ code: 'cancelled' })
  })
})

async function createGateFull(signal: AbortSignal): Promise<unknown> {
  const gate = createGate({ ...limits, perWorkspace: 1 })
  void gate.enter('a')
  return gate.enter('a', signal)
}
