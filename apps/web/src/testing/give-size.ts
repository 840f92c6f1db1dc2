import { afterEach, beforeEach, vi } from 'vitest'

/** Virtualized lists render nothing without a layout: gives every element a size. */
export function giveSize({ width = 1200, height = 600 } = {}): void {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height)
  })
  afterEach(() => vi.restoreAllMocks())
}
