import type { Place } from './client.ts'

export interface Bench {
  readonly url: string
  readonly places: readonly [Place, ...Place[]]
  /** The administrator's address in a workspace's database, for the bare driver. */
  bareUrl(place: Place): string
  /** The most memory the API took while this ran, and what it took before: programs and libraries, in MB. */
  peakDuring<T>(work: () => Promise<T>): Promise<{ value: T; peakMb: number; baseMb: number }>
  readonly options: Record<'rows' | 'rounds' | 'seconds', number>
}
