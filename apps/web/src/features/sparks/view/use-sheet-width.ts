import { type RefObject, useEffect } from 'react'

/** Paper is narrower than a window, and a frame can not be measured again while it is printed: it keeps its width. */
export function useSheetWidth(sheet: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const keep = () => {
      const frame = sheet.current?.querySelector('iframe')
      if (frame) sheet.current?.style.setProperty('--sheet-width', `${frame.offsetWidth}px`)
    }
    window.addEventListener('beforeprint', keep)
    return () => window.removeEventListener('beforeprint', keep)
  }, [sheet])
}
