import { useEffect, useRef, type RefObject } from 'react'

interface PageFocus {
  content: RefObject<HTMLElement | null>
  pathname: string
  /** A dialog manages focus itself. */
  isCovered: boolean
}

/**
 * After a navigation the focused link may be gone and focus is lost for screen readers and Tab: move it to the content,
 * unless the new page has set it.
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
