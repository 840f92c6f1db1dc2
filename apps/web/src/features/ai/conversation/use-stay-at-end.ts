import { useLayoutEffect, useRef } from 'react'

const NEAR_PX = 120

/** Scrolls with a growing list, unless the reader has scrolled up. */
export function useStayAtEnd(version: string | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  useLayoutEffect(() => {
    const container = scroller.current
    if (!container) return undefined
    const watch = () => {
      isFollowing.current = container.scrollHeight - container.scrollTop - container.clientHeight < NEAR_PX
    }
    const grow = new ResizeObserver(() => {
      if (isFollowing.current) container.scrollTop = container.scrollHeight
    })
    container.addEventListener('scroll', watch, { passive: true })
    if (container.firstElementChild) grow.observe(container.firstElementChild)
    return () => {
      container.removeEventListener('scroll', watch)
      grow.disconnect()
    }
  }, [])
  useLayoutEffect(() => {
    const container = scroller.current
    if (container && isFollowing.current) container.scrollTop = container.scrollHeight
  }, [version])
  return {
    scroller,
    goToEnd: () => {
      isFollowing.current = true
    },
  }
}
