import { expect, test } from 'vitest'
import { place } from './place.ts'

const viewport = { width: 400, height: 300 }
const size = { width: 100, height: 80 }

test('goes below its anchor, aligned as asked', () => {
  const anchor = { left: 150, top: 50, width: 40, height: 20 }
  expect(place({ anchor, size, viewport })).toEqual({ left: 150, top: 74 })
  expect(place({ anchor, size, viewport, align: 'end' })).toEqual({ left: 90, top: 74 })
  expect(place({ anchor, size, viewport, align: 'center' })).toEqual({ left: 120, top: 74 })
})

test('changes sides when there is no room', () => {
  expect(place({ anchor: { left: 0, top: 270, width: 40, height: 20 }, size, viewport }).top).toBe(186)
  expect(place({ anchor: { left: 50, top: 10, width: 40, height: 20 }, size, viewport, side: 'top' }).top).toBe(34)
  expect(place({ anchor: { left: 350, top: 100, width: 40, height: 20 }, size, viewport, side: 'right' }).left).toBe(
    246,
  )
})

test('never leaves the window', () => {
  const wide = place({ anchor: { left: 390, top: 10, width: 40, height: 20 }, size, viewport })
  expect(wide.left).toBe(292)
  const huge = place({
    anchor: { left: 10, top: 150, width: 40, height: 20 },
    size: { width: 900, height: 900 },
    viewport,
  })
  expect(huge).toEqual({ left: 8, top: 8 })
})
