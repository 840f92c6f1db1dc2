import { useState } from 'react'
import { useNow } from '../use-now.ts'
import { fitRange, getNextSpan, toTimeRange, zoomRange, type Span, type TimeRange } from './gantt-scale.ts'

const HOUR = 3_600_000
const AHEAD = 0.2 * HOUR

export function useTimeShown() {
  const [selected, setSpan] = useState<Span | null>(null)
  const [end, setEnd] = useState<number | null>(null)
  const [fitted, setFitted] = useState<TimeRange | null>(null)
  const span = selected ?? '1d'
  const now = useNow(span === '1h' || fitted ? 1000 : 5000)
  const range = fitted ?? toTimeRange(span, end, now)
  const showSpan = (value: Span, until: number | null) => {
    setFitted(null)
    setSpan(value)
    setEnd(until)
  }
  const pan = (part: number) => {
    const width = range.to - range.from
    if (fitted) setFitted({ from: fitted.from + part * width, to: fitted.to + part * width })
    else setEnd(Math.min(now + width, range.to + part * width))
  }
  /** `step` 1 is wider. A fitted run that grows to an hour falls back to the fixed spans. */
  const zoom = (step: 1 | -1) => {
    if (!fitted) return setSpan(getNextSpan(span, step))
    const next = zoomRange(fitted, step)
    return next.to - next.from < HOUR ? setFitted(next) : showSpan('1h', Math.min(now + AHEAD, next.to))
  }
  return {
    now,
    span,
    range,
    isFitted: fitted !== null,
    isNow: fitted === null && end === null,
    /** Until the person or the first response has chosen. */
    isUnset: selected === null,
    showSpan,
    pan,
    zoom,
    showNow: () => showSpan(span, null),
    fit: (run: TimeRange) => setFitted(fitRange(run)),
  }
}
