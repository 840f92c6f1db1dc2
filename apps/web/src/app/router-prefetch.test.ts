import { afterEach, expect, test, vi } from 'vitest'
import { watchLinks } from './router-prefetch.ts'

let stop: () => void = () => undefined
afterEach(() => stop())

test('hovering or focusing a link fetches its page once, foreign links nothing', () => {
  const lazy = vi.fn(() => Promise.resolve({}))
  stop = watchLinks([{ path: '/hovered', lazy }])
  document.body.innerHTML = `<a href="/hovered"><b>Here</b></a> <a id="out" href="https://example.com/hovered">Out</a>`
  document.querySelector('#out')?.dispatchEvent(new Event('pointerover', { bubbles: true }))
  expect(lazy).not.toHaveBeenCalled()
  document.querySelector('b')?.dispatchEvent(new Event('pointerover', { bubbles: true }))
  document.querySelector('a')?.dispatchEvent(new Event('focusin', { bubbles: true }))
  expect(lazy).toHaveBeenCalledTimes(1)
})
