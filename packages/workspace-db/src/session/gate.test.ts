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

  it('lets a workspace without a session in beyond the total', async () => {
    const gate = createGate({ ...limits, reserved: 1 })
    await gate.enter('a')
    await gate.enter('a')
    await gate.enter('b')
    const leave = await gate.enter('c')
    const waiting = [gate.enter('b'), gate.enter('d')]
    const isLetIn = await Promise.race([
      ...waiting.map((item) => item.then(() => true)),
      new Promise((resolve) => setImmediate(resolve, false)),
    ])
    expect(isLetIn).toBe(false)
    leave()
    await waiting[1]
    await expect(Promise.race([waiting[0], Promise.resolve('waits')])).resolves.toBe('waits')
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

  it('gives the next turn to the person with the fewest sessions, whoever came first', async () => {
    const gate = createGate({ ...limits, waiting: 10 })
    const leaves = [await gate.enter('a', { person: 'eager' }), await gate.enter('a', { person: 'eager' })]
    const order: string[] = []
    const enter = async (person: string) => {
      const leave = await gate.enter('a', { person })
      order.push(person)
      leave()
    }
    const all = [...Array.from({ length: 5 }, () => enter('eager')), enter('patient')]
    leaves[0]?.()
    await Promise.all(all)
    expect(order).toEqual(['patient', 'eager', 'eager', 'eager', 'eager', 'eager'])
  })

  it('gives the next turn to the workspace with the fewest sessions, however many people another one has', async () => {
    const gate = createGate({ perWorkspace: 4, total: 4, waiting: 100, waitMs: 10_000 })
    const crowd = [await gate.enter('crowd', { person: '1' }), await gate.enter('crowd', { person: '2' })]
    const third = await gate.enter('crowd', { person: '3' })
    await gate.enter('calm', { person: 'only' })
    const order: string[] = []
    const { signal, abort } = toStop()
    const waiting: Promise<unknown>[] = []
    const enter = (key: string, person: string) =>
      waiting.push(gate.enter(key, { person, signal }).then(() => void order.push(key)))
    for (let at = 0; at < 50; at += 1) enter('crowd', `new ${at}`)
    for (let at = 0; at < 2; at += 1) enter('calm', 'only')
    for (const leave of [...crowd, third]) {
      await new Promise((resolve) => setImmediate(resolve))
      leave()
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual(['calm', 'crowd', 'crowd'])
    abort()
    await Promise.allSettled(waiting)
  })

  it('takes a place in the queue from whoever has the most of them', async () => {
    const gate = createGate({ ...limits, waiting: 3 })
    const leaves = [await gate.enter('a'), await gate.enter('a')]
    const outcome = (person: string) =>
      gate.enter('a', { person }).then(
        (leave) => (leave(), 'in'),
        (error: { code: string }) => error.code,
      )
    const eager = [outcome('eager'), outcome('eager'), outcome('eager')]
    const patient = [outcome('patient'), outcome('patient')]
    for (const leave of leaves) leave()
    expect(await Promise.all(eager)).toEqual(['in', 'in', 'busy'])
    expect(await Promise.all(patient)).toEqual(['in', 'busy'])
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
    await expect(gate.enter('a', { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' })
  })
})

function toStop() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

async function createGateFull(signal: AbortSignal): Promise<unknown> {
  const gate = createGate({ ...limits, perWorkspace: 1 })
  void gate.enter('a')
  return gate.enter('a', { signal })
}
