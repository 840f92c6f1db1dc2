import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual'
import { useLayoutEffect, useReducer, useState } from 'react'
import { flushSync } from 'react-dom'

type Options = VirtualizerOptions<HTMLDivElement, Element>
type VirtualOptions = Omit<Options, 'observeElementRect' | 'observeElementOffset' | 'scrollToFn' | 'onChange'>

/** Which of many lines are in sight. While one scrolls they are drawn at once: a frame later would show blank ground. */
export function useVirtual(wish: VirtualOptions): Virtualizer<HTMLDivElement, Element> {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const options: Options = {
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    ...wish,
    onChange: (_virtual, isScrolling) => (isScrolling ? flushSync(draw) : draw()),
  }
  const [virtual] = useState(() => new Virtualizer<HTMLDivElement, Element>(options))
  virtual.setOptions(options)
  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => virtual._willUpdate())
  return virtual
}
