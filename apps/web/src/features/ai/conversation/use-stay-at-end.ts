import { useLayoutEffect, useRef } from 'react'

const NEAR_PX = 120

/** Scrolls with a growing list, unless the reader has scrolled up. */
export function useStayAtEnd(version: string | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return undefined
    const watch = () => {
      isFollowing.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX
    }
    const grow = new ResizeObserver(() => {
      if (isFollowing.current) box.scrollTop = box.scrollHeight
    })
    box.addEventListener('scroll', watch, { passive: true })
    if (box.firstElementChild) grow.observe(box.firstElementChild)
    return () => {
      box.removeEventListener('scroll', watch)
      grow.disconnect()
    }
  }, [])
  useLayoutEffect(() => {
    const box = scroller.current
    if (box && isFollowing.current) box.scrollTop = box.scrollHeight
  }, [version])
  return {
    scroller,
    goToEnd: () => {
      isFollowing.current = true
    },
  }
}
