import { useEffect, useRef, type RefObject } from 'react'

interface PageFocus {
  content: RefObject<HTMLElement | null>
  pathname: string
  /** A layer above the page has the focus and gives it back when it closes. */
  isCovered: boolean
}

/**
 * When the link that led to a page is gone with the page before, the focus is nowhere: a screen reader says nothing, and where
 * Tab goes on is up to the browser. Then it moves to the content; a field or dialog of the new page that took it keeps it.
 */
export function usePageFocus({ content, pathname, isCovered }: PageFocus): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (isCovered || shown.current === pathname) return
    shown.current = pathname
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) content.current?.focus({ preventScroll: true })
  }, [content, pathname, isCovered])
}
