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

test('what is run before the databases are there runs once they are', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { Surroundings } = surroundPart({ late: new Map([['listDatabases', promise]]) })
  const asked = vi.spyOn(globalThis, 'fetch')
  const listSql = () => asked.mock.calls.filter(([, init]) => JSON.stringify(init?.body ?? '').includes('select 1'))
  const { result } = renderHook(() => useRunning('f1', () => 'select 1', OPTIONS), { wrapper: Surroundings })
  await waitFor(() => expect(result.current?.canRun).toBe(true))
  act(() => result.current.run({ text: 'select 1', sql: 'select 1', offset: 0 }))
  expect(result.current.isWaiting).toBe(true)
  expect(listSql()).toEqual([])
  resolve()
  await waitFor(() => expect(listSql()).toHaveLength(1))
  expect(result.current.isWaiting).toBe(false)
})
