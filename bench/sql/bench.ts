import type { Place } from './client.ts'

export interface Bench {
  readonly url: string
  readonly places: readonly [Place, ...Place[]]
  bareUrl(place: Place, as: 'workspace' | 'administrator'): string
  peakDuring<T>(work: () => Promise<T>): Promise<{ value: T; peakMb: number; baseMb: number }>
  readonly options: Record<'rows' | 'rounds' | 'seconds', number>
}
