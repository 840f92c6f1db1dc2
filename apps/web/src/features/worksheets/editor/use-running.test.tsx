import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { surroundPart } from '../../../testing/render/render-part.tsx'
import { useRunning } from './use-running.ts'

const OPTIONS = {
  mustAsk: true,
  rowLimit: 100,
  timeoutSeconds: 60,
  chooseParameters: () => ({}),
  commit: 'auto' as const,
}

function watchSql(sql: string) {
  const asked = vi.spyOn(globalThis, 'fetch')
  return () => asked.mock.calls.filter(([, init]) => JSON.stringify(init?.body ?? '').includes(sql))
}

test('pressed twice it starts one job', async () => {
  const { Surroundings } = surroundPart({})
  const listSql = watchSql('select 2')
  const { result } = renderHook(() => useRunning('f2', () => 'select 2', OPTIONS), { wrapper: Surroundings })
  await waitFor(() => expect(result.current?.database).not.toBeNull())
  act(() => {
    result.current.run({ text: 'select 2', sql: 'select 2', offset: 0 })
    result.current.run({ text: 'select 2', sql: 'select 2', offset: 0 })
  })
  await waitFor(() => expect(listSql()).not.toEqual([]))
  await waitFor(() => expect(result.current.isRunning).toBe(false))
  expect(listSql()).toHaveLength(1)
})

test('what is run before the databases are there runs once they are', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { Surroundings } = surroundPart({ late: new Map([['listDatabases', promise]]) })
  const listSql = watchSql('select 1')
  const { result } = renderHook(() => useRunning('f1', () => 'select 1', OPTIONS), { wrapper: Surroundings })
  await waitFor(() => expect(result.current?.canRun).toBe(true))
  act(() => result.current.run({ text: 'select 1', sql: 'select 1', offset: 0 }))
  expect(result.current.isWaiting).toBe(true)
  expect(listSql()).toEqual([])
  resolve()
  await waitFor(() => expect(listSql()).toHaveLength(1))
  expect(result.current.isWaiting).toBe(false)
})
