export const IDLE_LIMIT = 90 * 60_000

const ACTIVITY_KEY = 'trellis.activity'
const NOTE_EVERY = 5_000
const SIGNS_OF_LIFE = ['mousedown', 'mousemove', 'keydown', 'scroll', 'touchstart'] as const

export interface IdleWatch {
  onIdle: () => void
  limit?: number
}

/** True when all tabs are idle. A browser without stored activity is not idle. */
export function isIdle(limit: number = IDLE_LIMIT): boolean {
  const last = readLastActivity()
  return last !== null && Date.now() - last >= limit
}

export function recordActivity(): void {
  localStorage.setItem(ACTIVITY_KEY, String(Date.now()))
}

export function clearActivity(): void {
  localStorage.removeItem(ACTIVITY_KEY)
}

/**
 * Calls `onIdle` once and returns an unsubscribe function. After sleep the clock is checked before the first mouse move
 * counts as activity.
 */
export function watchIdle({ onIdle, limit = IDLE_LIMIT }: IdleWatch): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let notedAt = 0
  let isOver = false

  const stop = () => {
    isOver = true
    clearTimeout(timer)
    for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, onSign, true)
    document.removeEventListener('visibilitychange', check)
  }
  const check = () => {
    if (isOver) return
    if (isIdle(limit)) {
      stop()
      onIdle()
      return
    }
    clearTimeout(timer)
    timer = setTimeout(check, Math.max(limit - (Date.now() - (readLastActivity() ?? Date.now())), 1))
  }
  const onSign = () => {
    if (Date.now() - notedAt < NOTE_EVERY) return
    check()
    if (isOver) return
    notedAt = Date.now()
    recordActivity()
  }

  for (const sign of SIGNS_OF_LIFE) addEventListener(sign, onSign, { capture: true, passive: true })
  document.addEventListener('visibilitychange', check)
  check()
  if (!isOver) onSign()
  return stop
}

function readLastActivity(): number | null {
  const noted = Number(localStorage.getItem(ACTIVITY_KEY) ?? Number.NaN)
  return Number.isFinite(noted) ? Math.min(noted, Date.now()) : null
}
