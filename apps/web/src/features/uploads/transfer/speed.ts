export interface Sample {
  instant: number
  bytes: number
}

const WINDOW_MS = 5000

/** Keeps the last seconds and at least two samples, so that a stall is visible. */
export function withSample(samples: readonly Sample[], next: Sample): Sample[] {
  const keptSamples = samples.filter((sample) => next.instant - sample.instant <= WINDOW_MS)
  return [...(keptSamples.length > 0 ? keptSamples : samples.slice(-1)), next]
}

export function computeSpeed(samples: readonly Sample[]): number | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.instant - first.instant < 500) return null
  return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.instant - first.instant))
}

export function secondsLeft(speed: number | null, bytesLeft: number): number | null {
  return speed === null || speed <= 0 ? null : Math.ceil(bytesLeft / speed)
}
