import type { Place } from './client.ts'

export interface Bench {
  readonly url: string
  readonly places: readonly [Place, ...Place[]]
  /** The address of a workspace's database, for the bare driver. */
  bareUrl(place: Place, as: 'workspace' | 'administrator'): string
  /** The most memory the API took while this ran, and what it took before: programs and libraries, in MB. */
  peakDuring<T>(work: () => Promise<T>): Promise<{ value: T; peakMb: number; baseMb: number }>
  readonly options: Record<'rows' | 'rounds' | 'seconds', number>
}
