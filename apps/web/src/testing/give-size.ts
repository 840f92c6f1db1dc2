import { afterEach, beforeEach, vi } from 'vitest'

/** Lists that draw only what is in sight draw nothing in a window without a layout; this gives every element one. */
export function giveSize({ width = 1200, height = 600 } = {}): void {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height)
  })
  afterEach(() => vi.restoreAllMocks())
}
