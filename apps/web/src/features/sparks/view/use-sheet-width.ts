import { type RefObject, useEffect } from 'react'

/** An iframe cannot be resized while printing: sets the paper's width before. */
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
