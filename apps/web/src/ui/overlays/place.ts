export interface Box {
  left: number
  top: number
  width: number
  height: number
}
interface Size {
  width: number
  height: number
}
export type Side = 'bottom' | 'top' | 'right'
export type Align = 'start' | 'center' | 'end'

interface PlaceOptions {
  anchor: Box
  size: Size
  viewport: Size
  side?: Side
  align?: Align
  gap?: number
}

const EDGE = 8

function between(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, Math.max(low, high)))
}

/** Where a floating box goes: beside its anchor, on the other side when there is no room, never outside the window. */
export function place({ anchor, size, viewport, side = 'bottom', align = 'start', gap = 4 }: PlaceOptions): {
  left: number
  top: number
} {
  const below = anchor.top + anchor.height + gap
  const above = anchor.top - gap - size.height
  const lastLeft = viewport.width - size.width - EDGE
  const lastTop = viewport.height - size.height - EDGE
  if (side === 'right') {
    const right = anchor.left + anchor.width + gap
    const left = right > lastLeft ? anchor.left - gap - size.width : right
    return {
      left: between(left, EDGE, lastLeft),
      top: between(anchor.top + anchor.height / 2 - size.height / 2, EDGE, lastTop),
    }
  }
  const isBelow = side === 'bottom' ? below <= lastTop || above < EDGE : above < EDGE
  const offset = align === 'start' ? 0 : align === 'end' ? anchor.width - size.width : (anchor.width - size.width) / 2
  return { left: between(anchor.left + offset, EDGE, lastLeft), top: between(isBelow ? below : above, EDGE, lastTop) }
}
