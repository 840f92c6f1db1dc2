import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useSteady } from './use-steady.ts'

it('gives the same functions at every drawing, and they do what the latest ones do', () => {
  const { result, rerender } = renderHook(({ by }) => useSteady({ add: (to: number) => to + by }), {
    initialProps: { by: 1 },
  })
  const { add } = result.current
  rerender({ by: 10 })
  expect(result.current.add).toBe(add)
  expect(add(5)).toBe(15)
})
